#include "audit/canary.h"

#include <algorithm>

#include "base/check.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_toml.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

constexpr char kSchema[] = R"(
[[column]]
name = "age"
type = "integer"
min = 0
max = 1
clamp = true

[[column]]
name = "code"
type = "categorical"
values = ["a", "b"]
other = "b"

[[column]]
name = "treated"
type = "boolean"
true_values = ["yes"]
false_values = ["no"]
)";

Table ReadRows(const std::string& rows) {
  absl::StatusOr<Table> table = ReadTable(StringSource("canary", "age,code,treated\n" + rows), CanarySchema());
  CHECK(table.ok(), "{}", std::string(table.status().message()));
  return *std::move(table);
}

std::string Repeat(const std::string& row, int times) {
  std::string rows;
  for (int i = 0; i < times; ++i) rows += row + "\n";
  return rows;
}

Canary MakeCanary(std::string name, std::string why, const std::string& rows, const std::string& record) {
  Canary canary{std::move(name), std::move(why), ReadRows(rows), ReadRows(rows + record + "\n"), {}};
  for (AttributeIndex column = 0; column < canary.with.domain().size(); ++column) {
    canary.record.push_back(canary.with.at(canary.with.rows() - 1, column));
  }
  return canary;
}

// Age goes with code, and against treatment: adding the record makes the first pair look worse to the model, and the
// other two better.
Canary Opposed() {
  Canary canary = MakeCanary("opposed", "raises the score of one candidate and lowers the others'",
                             Repeat("0,a,yes", 150) + Repeat("1,b,no", 150), "0,a,no");
  canary.is_about_choices = true;
  return canary;
}

// Of OpposedAtHome: values of each column, and rows in each cell of a pair if these were spread evenly, as others' are.
constexpr std::uint32_t kValues = 8;
constexpr int kEvenly = 16;
// The rows of the one pair are dealt to those of the other in such steps that all mixed pairs come out nearly even.
constexpr std::size_t kDealingStep = 401;

struct PairOfValues {
  std::uint32_t first;
  std::uint32_t second;
};

// Two columns of which equal values are more frequent than everybody's shares have it (sign 1) or rarer (sign -1), by
// much in few cells and by little in the other direction in all others; and the value 0 the other way round, by 7 rows,
// against 1 for each other value.
std::vector<PairOfValues> TiedColumns(int sign) {
  std::vector<PairOfValues> rows;
  for (std::uint32_t first = 0; first < kValues; ++first) {
    for (std::uint32_t second = 0; second < kValues; ++second) {
      int more = first != second ? -2 : first == 0 ? 7 : 15;
      // Four records more are wrong with the last two columns, so that the record decides which pair looks worse.
      const bool is_more_wrong = sign < 0 && std::clamp(first, 1U, 2U) == first && std::clamp(second, 1U, 2U) == second;
      if (is_more_wrong) more += first == second ? 1 : -1;
      for (int row = 0; row < kEvenly + sign * more; ++row) rows.push_back({first, second});
    }
  }
  return rows;
}

}  // namespace

const Schema& CanarySchema() {
  static const Schema* const schema = [] {
    absl::StatusOr<Schema> parsed = ParseSchemaToml(kSchema, "canary");
    CHECK(parsed.ok(), "{}", std::string(parsed.status().message()));
    return new Schema(*std::move(parsed));
  }();
  return *schema;
}

std::vector<Canary> AllCanaries() {
  std::vector<Canary> canaries;
  canaries.push_back(MakeCanary("alone", "nobody else is in any of its cells", Repeat("0,a,no", 16), "1,b,yes"));
  canaries.push_back(Opposed());
  canaries.push_back(MakeCanary("empty", "nobody else is in the table", "", "0,a,no"));
  canaries.push_back(MakeCanary("unfit", "its age is clamped and its code counts as other",
                                Repeat("0,a,no", 6) + Repeat("1,b,yes", 6) + Repeat("1,a,yes", 6), "97,zz,no"));
  return canaries;
}

Canary OpposedAtHome() {
  const Domain domain = Domain::Create({{"a", kValues}, {"b", kValues}, {"c", kValues}, {"d", kValues}}).value();
  const std::vector<PairOfValues> tied = TiedColumns(1);
  const std::vector<PairOfValues> untied = TiedColumns(-1);
  CHECK(tied.size() == untied.size());
  TableBuilder without(domain);
  TableBuilder with(domain);
  for (std::size_t row = 0; row < tied.size(); ++row) {
    const auto& [a, b] = tied[row];
    const auto& [c, d] = untied[row * kDealingStep % untied.size()];
    without.AddRow(std::vector{a, b, c, d});
    with.AddRow(std::vector{a, b, c, d});
  }
  const std::vector<std::uint32_t> record(4);
  with.AddRow(record);
  return {.name = "opposed",
          .why = "raises the score of one candidate as far as it can and lowers another's as far",
          .without = std::move(without).Build(),
          .with = std::move(with).Build(),
          .record = record,
          .is_about_choices = true,
          .is_among_others = true};
}

Canary FindCanary(const std::string& name) {
  const std::vector<Canary> canaries = AllCanaries();
  const auto found =
      std::find_if(canaries.begin(), canaries.end(), [&](const Canary& one) { return one.name == name; });
  CHECK(found != canaries.end(), "no canary is called {}", name);
  return *found;
}

}  // namespace flaim
