#include "model/file/model_header.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "base/status.h"
#include "data/schema/schema_toml.h"
#include "io/json_fields.h"
#include "io/message_text.h"

namespace flaim {
namespace {

using Json = nlohmann::json;

// The first version with levels.
constexpr std::uint32_t kVersionOfLevels = 2;
constexpr std::string_view kOverValues = "values";
constexpr std::string_view kOverBins = "bins";

Json ToJson(const Domain& domain) {
  Json attributes = Json::array();
  for (const Attribute& attribute : domain.attributes()) {
    attributes.push_back({{"name", attribute.name}, {"size", attribute.size}});
  }
  return attributes;
}

Json ToJson(const Levels* levels) {
  if (levels == nullptr) return nullptr;
  Json columns = Json::array();
  for (AttributeIndex attribute = 0; attribute < levels->bins().values().size(); ++attribute) {
    if (!levels->bins().HasBins(attribute)) continue;
    columns.push_back({{"attribute", attribute}, {"bins", levels->bins().Of(attribute)}});
  }
  return columns;
}

Json ToJson(const FitReport& report, const Levels* levels) {
  Json measurements = Json::array();
  for (const Measurement& measurement : report.measurements) {
    const bool is_over_bins = levels != nullptr && levels->IsOverBins(measurement.clique, measurement.values.size());
    measurements.push_back({{"clique", measurement.clique.attributes()},
                            {"over", is_over_bins ? kOverBins : kOverValues},
                            {"variance", JsonReal(measurement.variance)}});
  }
  Json bounds = Json::array();
  for (const ErrorBound& bound : report.bounds) {
    bounds.push_back({{"clique", bound.clique.attributes()},
                      {"is_measured", bound.is_measured},
                      {"distance_records", JsonReal(bound.distance_records)}});
  }
  return {{"algorithm", report.algorithm},
          {"epsilon", JsonReal(report.epsilon)},
          {"delta", JsonReal(report.delta)},
          {"rho", JsonReal(report.rho)},
          {"rho_spent", JsonReal(report.rho_spent)},
          {"adjacency", report.adjacency},
          {"noise", report.noise},
          {"derived_from_private_rows", report.derived_from_private_rows},
          {"rounds", report.rounds},
          {"quality",
           {{"iterations", report.quality.iterations},
            {"loss", JsonReal(report.quality.loss)},
            {"gap", JsonReal(report.quality.gap)}}},
          {"confidence", JsonReal(report.confidence)},
          {"measurements", std::move(measurements)},
          {"bounds", std::move(bounds)}};
}

Json ToJson(const std::vector<Clique>& cliques) {
  Json lists = Json::array();
  for (const Clique& clique : cliques) lists.push_back(clique.attributes());
  return lists;
}

absl::StatusOr<Clique> ReadClique(const Json& list, const std::string& where, const Domain& domain) {
  if (!list.is_array()) return InvalidArgument("{} must be a list of attributes", where);
  std::vector<AttributeIndex> attributes;
  for (const Json& item : list) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() >= static_cast<std::uint64_t>(domain.size())) {
      return InvalidArgument("{} must hold whole numbers below {}, the number of attributes", where, domain.size());
    }
    const auto attribute = item.get<AttributeIndex>();
    if (!attributes.empty() && attribute <= attributes.back()) {
      return InvalidArgument("{} must be in increasing order", where);
    }
    attributes.push_back(attribute);
  }
  return Clique(std::move(attributes));
}

struct LevelsOfColumn {
  AttributeIndex attribute;
  std::vector<std::uint32_t> bin_of_value;
};

absl::StatusOr<std::uint32_t> ReadBin(const Json& value, const std::string& where) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() < Domain::kMaxAttributeSize) {
    return value.get<std::uint32_t>();
  }
  return InvalidArgument("{} must be the number of a bin", where);
}

absl::StatusOr<LevelsOfColumn> ReadLevelsOfColumn(const Json& value, const std::string& where, const Domain& domain) {
  ASSIGN_OR_RETURN(const JsonFields fields, JsonFields::Of(value, where, {"attribute", "bins"}));
  ASSIGN_OR_RETURN(const std::int64_t attribute, fields.Count("attribute"));
  if (attribute >= domain.size()) {
    return InvalidArgument("{} must be below {}, the number of attributes", fields.WhereIs("attribute"), domain.size());
  }
  ASSIGN_OR_RETURN(std::vector<std::uint32_t> bins, fields.List<std::uint32_t>("bins", ReadBin));
  return LevelsOfColumn{static_cast<AttributeIndex>(attribute), std::move(bins)};
}

absl::StatusOr<std::optional<Bins>> ReadBins(const JsonFields& header, const Domain& domain) {
  if (header["levels"].is_null()) return std::nullopt;
  const auto read_column = [&](const Json& item, const std::string& where) {
    return ReadLevelsOfColumn(item, where, domain);
  };
  ASSIGN_OR_RETURN(std::vector<LevelsOfColumn> columns, header.List<LevelsOfColumn>("levels", read_column));
  std::vector<std::vector<std::uint32_t>> bin_of_value(static_cast<std::size_t>(domain.size()));
  AttributeIndex last = -1;
  for (LevelsOfColumn& column : columns) {
    if (column.attribute <= last) return InvalidArgument("header.levels must be in increasing order of attributes");
    last = column.attribute;
    bin_of_value[static_cast<std::size_t>(last)] = std::move(column.bin_of_value);
  }
  ASSIGN_OR_RETURN(Bins bins, Bins::Create(domain, std::move(bin_of_value)));
  for (const LevelsOfColumn& column : columns) {
    if (bins.HasBins(column.attribute)) continue;
    return InvalidArgument("header.levels has an attribute whose bins hold one value each, or none");
  }
  return std::optional<Bins>(std::move(bins));
}

// What a header says of one measurement.
struct MeasurementLine {
  Measurement measurement;
  bool is_over_bins = false;
};

absl::StatusOr<bool> ReadIsOverBins(const JsonFields& fields, const Clique& clique, const std::optional<Bins>& bins) {
  ASSIGN_OR_RETURN(const std::string over, fields.Text("over"));
  if (over == kOverValues) return false;
  const auto has_bins = [&](AttributeIndex attribute) { return bins->HasBins(attribute); };
  if (over == kOverBins && bins && std::any_of(clique.begin(), clique.end(), has_bins)) return true;
  return InvalidArgument("{} must be '{}', or '{}' where there are some", fields.WhereIs("over"), kOverValues,
                         kOverBins);
}

// What the header says before the report, and the report is read with.
struct Setting {
  const Domain& domain;
  const std::optional<Bins>& bins;
  std::uint32_t version;
};

absl::StatusOr<MeasurementLine> ReadMeasurement(const Json& value, const std::string& where, const Setting& setting) {
  const bool knows_levels = setting.version >= kVersionOfLevels;
  ASSIGN_OR_RETURN(const JsonFields fields, knows_levels ? JsonFields::Of(value, where, {"clique", "over", "variance"})
                                                         : JsonFields::Of(value, where, {"clique", "variance"}));
  MeasurementLine line;
  Measurement& measurement = line.measurement;
  ASSIGN_OR_RETURN(measurement.clique, ReadClique(fields["clique"], fields.WhereIs("clique"), setting.domain));
  if (knows_levels) {
    ASSIGN_OR_RETURN(line.is_over_bins, ReadIsOverBins(fields, measurement.clique, setting.bins));
  }
  ASSIGN_OR_RETURN(measurement.variance, fields.Real("variance"));
  if (!(measurement.variance > 0) || std::isinf(measurement.variance)) {
    return InvalidArgument("{} must be positive", fields.WhereIs("variance"));
  }
  return line;
}

absl::StatusOr<ErrorBound> ReadBound(const Json& value, const std::string& where, const Domain& domain) {
  ASSIGN_OR_RETURN(const JsonFields fields,
                   JsonFields::Of(value, where, {"clique", "is_measured", "distance_records"}));
  ErrorBound bound;
  ASSIGN_OR_RETURN(bound.clique, ReadClique(fields["clique"], fields.WhereIs("clique"), domain));
  ASSIGN_OR_RETURN(bound.is_measured, fields.Boolean("is_measured"));
  ASSIGN_OR_RETURN(bound.distance_records, fields.Real("distance_records"));
  return bound;
}

absl::StatusOr<FitQuality> ReadQuality(const Json& value, const std::string& where) {
  ASSIGN_OR_RETURN(const JsonFields fields, JsonFields::Of(value, where, {"iterations", "loss", "gap"}));
  FitQuality quality;
  ASSIGN_OR_RETURN(quality.iterations, fields.Count("iterations"));
  ASSIGN_OR_RETURN(quality.loss, fields.Real("loss"));
  ASSIGN_OR_RETURN(quality.gap, fields.Real("gap"));
  return quality;
}

// Fills the report and is_over_bins.
absl::Status ReadReport(const Json& value, const Setting& setting, ModelHeader& header) {
  ASSIGN_OR_RETURN(const JsonFields fields, JsonFields::Of(value, "report",
                                                           {"algorithm", "epsilon", "delta", "rho", "rho_spent",
                                                            "adjacency", "noise", "derived_from_private_rows", "rounds",
                                                            "quality", "confidence", "measurements", "bounds"}));
  FitReport& report = header.report;
  ASSIGN_OR_RETURN(report.algorithm, fields.Text("algorithm"));
  ASSIGN_OR_RETURN(report.epsilon, fields.Real("epsilon"));
  ASSIGN_OR_RETURN(report.delta, fields.Real("delta"));
  ASSIGN_OR_RETURN(report.rho, fields.Real("rho"));
  ASSIGN_OR_RETURN(report.rho_spent, fields.Real("rho_spent"));
  ASSIGN_OR_RETURN(report.adjacency, fields.Text("adjacency"));
  ASSIGN_OR_RETURN(report.noise, fields.Text("noise"));
  ASSIGN_OR_RETURN(report.derived_from_private_rows, fields.Boolean("derived_from_private_rows"));
  ASSIGN_OR_RETURN(report.rounds, fields.Count("rounds"));
  ASSIGN_OR_RETURN(report.quality, ReadQuality(fields["quality"], fields.WhereIs("quality")));
  ASSIGN_OR_RETURN(report.confidence, fields.Real("confidence"));
  const auto read_measurement = [&](const Json& item, const std::string& where) {
    return ReadMeasurement(item, where, setting);
  };
  ASSIGN_OR_RETURN(std::vector<MeasurementLine> lines, fields.List<MeasurementLine>("measurements", read_measurement));
  for (MeasurementLine& line : lines) {
    report.measurements.push_back(std::move(line.measurement));
    header.is_over_bins.push_back(line.is_over_bins);
  }
  const auto read_bound = [&](const Json& item, const std::string& where) {
    return ReadBound(item, where, setting.domain);
  };
  ASSIGN_OR_RETURN(report.bounds, fields.List<ErrorBound>("bounds", read_bound));
  return absl::OkStatus();
}

absl::StatusOr<Attribute> ReadAttribute(const Json& value, const std::string& where) {
  ASSIGN_OR_RETURN(const JsonFields fields, JsonFields::Of(value, where, {"name", "size"}));
  Attribute attribute;
  ASSIGN_OR_RETURN(attribute.name, fields.Text("name"));
  ASSIGN_OR_RETURN(attribute.size, fields.Count("size"));
  return attribute;
}

absl::Status CheckDomain(const std::vector<Attribute>& found, const Domain& expected) {
  if (std::ssize(found) != expected.size()) {
    return InvalidArgument("the model has {} attributes, but its schema has {} columns", found.size(), expected.size());
  }
  for (AttributeIndex i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    return InvalidArgument("the model has {} with {} codes, where its schema has {} with {}",
                           QuoteForMessage(found[i].name), found[i].size, QuoteForMessage(expected[i].name),
                           expected[i].size);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> FormatModelHeader(const Schema& schema, const FitReport& report, const Model& model) {
  const Json header = {{"schema", FormatSchemaToml(schema)}, {"domain", ToJson(model.domain())},
                       {"total", JsonReal(model.total())},   {"cliques", ToJson(model.layout().cliques())},
                       {"levels", ToJson(model.levels())},   {"report", ToJson(report, model.levels())}};
  try {
    return header.dump();
  } catch (const std::exception& error) {
    return InvalidArgument("cannot be written as JSON: {}", QuoteForMessage(error.what()));
  }
}

absl::StatusOr<ModelHeader> ParseModelHeader(std::string_view text, std::uint32_t version) {
  ASSIGN_OR_RETURN(const Json json, ParseJsonStrictly(text));
  const bool knows_levels = version >= kVersionOfLevels;
  ASSIGN_OR_RETURN(const JsonFields fields,
                   knows_levels
                       ? JsonFields::Of(json, "header", {"schema", "domain", "total", "cliques", "levels", "report"})
                       : JsonFields::Of(json, "header", {"schema", "domain", "total", "cliques", "report"}));
  ASSIGN_OR_RETURN(const std::string schema_text, fields.Text("schema"));
  ASSIGN_OR_RETURN(Schema schema, ParseSchemaToml(schema_text, "schema"));
  ASSIGN_OR_RETURN(const std::vector<Attribute> attributes, fields.List<Attribute>("domain", ReadAttribute));
  RETURN_IF_ERROR(CheckDomain(attributes, schema.domain()));
  ASSIGN_OR_RETURN(const double total, fields.Real("total"));
  const auto read_clique = [&](const Json& item, const std::string& where) {
    return ReadClique(item, where, schema.domain());
  };
  ASSIGN_OR_RETURN(std::vector<Clique> cliques, fields.List<Clique>("cliques", read_clique));
  std::optional<Bins> bins;
  if (knows_levels) {
    ASSIGN_OR_RETURN(bins, ReadBins(fields, schema.domain()));
  }
  ModelHeader header{std::move(schema), total, std::move(cliques), std::move(bins), {}, {}};
  RETURN_IF_ERROR(ReadReport(fields["report"], {header.schema.domain(), header.bins, version}, header));
  if (header.schema.spec().derived_from_private_rows && !header.report.derived_from_private_rows) {
    return InvalidArgument("the schema was derived from private rows, but the report does not say so");
  }
  return header;
}

}  // namespace flaim
