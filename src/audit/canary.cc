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

Canary FindCanary(const std::string& name) {
  const std::vector<Canary> canaries = AllCanaries();
  const auto found =
      std::find_if(canaries.begin(), canaries.end(), [&](const Canary& one) { return one.name == name; });
  CHECK(found != canaries.end(), "no canary is called {}", name);
  return *found;
}

}  // namespace flaim
