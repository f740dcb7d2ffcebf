#include "model/file/model_header.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/file/model_file_testing.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

std::string GoodHeader() {
  const SmallModel small;
  return FormatModelHeader(small.schema, small.report, small.model).value();
}

std::string GoodHeaderWithLevels() {
  const SmallModelWithLevels small;
  return FormatModelHeader(small.schema, small.report, small.model).value();
}

absl::StatusOr<ModelHeader> Parse(const std::string& header) { return ParseModelHeader(header, 2); }

std::string Message(const std::string& header) { return std::string(Parse(header).status().message()); }

TEST(ModelHeader, IsReadBackWithoutTheNumbers) {
  const SmallModel small;
  const absl::StatusOr<ModelHeader> read = Parse(GoodHeader());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->schema, small.schema);
  EXPECT_EQ(read->total, small.model.total());
  EXPECT_EQ(read->cliques, small.model.layout().cliques());
  FitReport expected = small.report;
  for (Measurement& measurement : expected.measurements) measurement.values.clear();
  EXPECT_EQ(read->report, expected);
  EXPECT_FALSE(read->bins.has_value());
}

TEST(ModelHeader, IsReadBackWithBinsAndWhatWasMeasuredOverThem) {
  const SmallModelWithLevels small;
  const absl::StatusOr<ModelHeader> read = Parse(GoodHeaderWithLevels());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->bins, small.model.levels()->bins());
  EXPECT_THAT(read->is_over_bins, testing::ElementsAre(false, true, false));
}

TEST(ModelHeader, OfTheFirstVersionHasNoLevels) {
  EXPECT_THAT(std::string(ParseModelHeader(GoodHeader(), 1).status().message()),
              HasSubstr("header has the unknown key 'levels'"));
  Json header = Json::parse(GoodHeader());
  header.erase("levels");
  EXPECT_THAT(std::string(ParseModelHeader(header.dump(), 1).status().message()), HasSubstr("unknown key 'over'"));
  for (Json& measurement : header["report"]["measurements"]) measurement.erase("over");
  EXPECT_TRUE(ParseModelHeader(header.dump(), 1).ok());
  EXPECT_THAT(Message(header.dump()), HasSubstr("header has no 'levels'"));
}

struct Lie {
  const char* where;
  Json value;
  const char* refusal;
};

TEST(ModelHeader, RefusesWhatItDoesNotUnderstand) {
  const std::vector<Lie> lies = {
      {"/future", 1, "header has the unknown key 'future'"},
      {"/report/future", 1, "report has the unknown key 'future'"},
      {"/report/quality/future", 1, "report.quality has the unknown key"},
      {"/report/bounds/0/future", 1, "report.bounds[0] has the unknown key"},
      {"/report/measurements/1/values", 1, "report.measurements[1] has the unknown key"},
      {"/schema", 7, "header.schema must be a text"},
      {"/schema", "columns", "schema:1: not a TOML file"},
      {"/schema", "[[column]]\nname = 'a'\ntype = 'bool'\n", "unknown type"},
      {"/domain", {{"name", "sex"}}, "header.domain must be a list"},
      {"/domain", Json::array(), "the model has 0 attributes, but its schema has 2 columns"},
      {"/domain/0/size", 3, "'sex' with 3 codes, where its schema has 'sex' with 2"},
      {"/domain/0/name", "Sex", "where its schema has 'sex'"},
      {"/domain/0/size", -2, "must be a whole number"},
      {"/domain/0/size", 1.5, "must be a whole number"},
      {"/total", "many", "header.total must be a number"},
      {"/total", nullptr, "header.total must be a number"},
      {"/cliques", 1, "header.cliques must be a list"},
      {"/cliques/0", "01", "header.cliques[0] must be a list of attributes"},
      {"/cliques/0/1", 2, "header.cliques[0] must hold whole numbers below 2"},
      {"/cliques/0/1", -1, "must hold whole numbers below 2"},
      {"/cliques/0/1", 1.0, "must hold whole numbers below 2"},
      {"/cliques/0/1", 18446744073709551615U, "must hold whole numbers below 2"},
      {"/cliques/0/1", 4294967297, "must hold whole numbers below 2"},
      {"/cliques/0/1", 0, "must be in increasing order"},
      {"/cliques/0/0", 1, "must be in increasing order"},
      {"/report", Json::array(), "report must be an object"},
      {"/report/algorithm", 1, "report.algorithm must be a text"},
      {"/report/epsilon", "1", "report.epsilon must be a number"},
      {"/report/delta", true, "report.delta must be a number"},
      {"/report/rho", Json::array(), "report.rho must be a number"},
      {"/report/rho_spent", "Infinity", "report.rho_spent must be a number"},
      {"/report/derived_from_private_rows", 1, "must be true or false"},
      {"/report/rounds", -1, "report.rounds must be a whole number that is not negative"},
      {"/report/rounds", 9223372036854775808U, "report.rounds must be a whole number"},
      {"/report/quality/iterations", 0.5, "report.quality.iterations must be a whole number"},
      {"/report/measurements", {{"clique", 1}}, "report.measurements must be a list"},
      {"/report/measurements/1/clique/1", 2, "report.measurements[1].clique must hold whole numbers below 2"},
      {"/report/measurements/0/variance", 0, "report.measurements[0].variance must be positive"},
      {"/report/measurements/0/variance", "infinity", "report.measurements[0].variance must be positive"},
      {"/report/bounds/1/clique", Json::object(), "report.bounds[1].clique must be a list"},
      {"/report/bounds/1/is_measured", "yes", "report.bounds[1].is_measured must be true or false"},
  };
  for (const Lie& lie : lies) {
    Json header = Json::parse(GoodHeader());
    header[Json::json_pointer(lie.where)] = lie.value;
    EXPECT_THAT(Message(header.dump()), HasSubstr(lie.refusal)) << lie.where << " = " << lie.value;
  }
}

TEST(ModelHeader, RefusesLevelsThatItDoesNotUnderstand) {
  const Json twice = Json::parse(R"([{"attribute":1,"bins":[0,2,1,0,2]},{"attribute":1,"bins":[0,2,1,0,2]}])");
  const std::vector<Lie> lies = {
      {"/levels", 1, "header.levels must be a list"},
      {"/levels/0", 1, "header.levels[0] must be an object"},
      {"/levels/0/shares", 1, "header.levels[0] has the unknown key 'shares'"},
      {"/levels/0/attribute", 2, "header.levels[0].attribute must be below 2"},
      {"/levels/0/attribute", -1, "header.levels[0].attribute must be a whole number"},
      {"/levels/0/attribute", 4294967297, "header.levels[0].attribute must be below 2"},
      {"/levels/0/attribute", 0, "column sex has 2 values, but there are bins for 5"},
      {"/levels", twice, "header.levels must be in increasing order"},
      {"/levels/0/bins", "00101", "header.levels[0].bins must be a list"},
      {"/levels/0/bins", Json::array(), "bins hold one value each, or none"},
      {"/levels/0/bins", {0, 2, 1, 0}, "column age has 5 values, but there are bins for 4"},
      {"/levels/0/bins", {0, 2, 1, 0, 2, 2}, "column age has 5 values, but there are bins for 6"},
      {"/levels/0/bins", {0, 2, 3, 0, 2}, "a bin below the last is empty"},
      {"/levels/0/bins", {0, 2, 5, 0, 1}, "leaves others empty"},
      {"/levels/0/bins", {0, 1, 2, 4, 3}, "bins hold one value each, or none"},
      {"/levels/0/bins/2", -1, "header.levels[0].bins[2] must be the number of a bin"},
      {"/levels/0/bins/2", 1.0, "header.levels[0].bins[2] must be the number of a bin"},
      {"/levels/0/bins/2", nullptr, "header.levels[0].bins[2] must be the number of a bin"},
      {"/levels/0/bins/2", 4294967297, "header.levels[0].bins[2] must be the number of a bin"},
      {"/levels", nullptr, "report.measurements[1].over must be 'values', or 'bins' where there are some"},
      {"/report/measurements/0/over", "bins", "report.measurements[0].over must be 'values', or 'bins' where"},
      {"/report/measurements/1/over", "Bins", "report.measurements[1].over must be 'values', or 'bins' where"},
      {"/report/measurements/1/over", 1, "report.measurements[1].over must be a text"},
  };
  for (const Lie& lie : lies) {
    Json header = Json::parse(GoodHeaderWithLevels());
    header[Json::json_pointer(lie.where)] = lie.value;
    EXPECT_THAT(Message(header.dump()), HasSubstr(lie.refusal)) << lie.where << " = " << lie.value;
  }
}

void ExpectEveryKeyIsNeeded(const Json& whole, const Json::json_pointer& place) {
  for (const auto& item : whole[place].items()) {
    Json without = whole;
    if (whole[place].is_object()) {
      without[place].erase(item.key());
      EXPECT_THAT(Message(without.dump()), HasSubstr("has no '" + item.key() + "'")) << place;
      ExpectEveryKeyIsNeeded(whole, place / item.key());
    } else if (item.value().is_structured()) {
      ExpectEveryKeyIsNeeded(whole, place / std::stoul(item.key()));
    }
  }
}

TEST(ModelHeader, NeedsEveryKey) {
  ExpectEveryKeyIsNeeded(Json::parse(GoodHeader()), Json::json_pointer());
  ExpectEveryKeyIsNeeded(Json::parse(GoodHeaderWithLevels()), Json::json_pointer());
}

TEST(ModelHeader, RefusesTextThatIsNotJson) {
  const std::string good = GoodHeader();
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() - 1), good + "}", good + " {}", std::string("{\"schema\": \"\xff\"}"),
        std::string("{\"schema\": 1e999}"), std::string("{\"total\": NaN}"), std::string(100000, '[')}) {
    EXPECT_THAT(Message(bad), HasSubstr("not JSON"));
  }
  EXPECT_THAT(Message("[]"), HasSubstr("header must be an object"));
}

TEST(ModelHeader, RefusesAKeyThatIsThereTwice) {
  const std::string good = GoodHeader();
  EXPECT_THAT(Message("{\"total\":1," + good.substr(1)), HasSubstr("the key 'total' is there twice"));
  std::string inside = good;
  inside.insert(inside.find("\"gap\""), "\"gap\":7,");
  EXPECT_THAT(Message(inside), HasSubstr("the key 'gap' is there twice"));
}

TEST(ModelHeader, DoesNotHideThatTheSchemaIsDerivedFromPrivateRows) {
  SmallModel small;
  SchemaSpec spec = small.schema.spec();
  spec.derived_from_private_rows = true;
  const Schema derived = Schema::Create(std::move(spec)).value();
  EXPECT_THAT(Message(FormatModelHeader(derived, small.report, small.model).value()),
              HasSubstr("derived from private rows"));
  small.report.derived_from_private_rows = true;
  EXPECT_TRUE(Parse(FormatModelHeader(derived, small.report, small.model).value()).ok());
}

}  // namespace
}  // namespace flaim
