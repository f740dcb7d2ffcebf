#include "model/file/model_file_testing.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "fmt/format.h"
#include "io/byte_sink.h"
#include "model/file/model_file.h"

namespace flaim {
namespace {

Clique RandomClique(const Domain& domain, std::int64_t max_cells, RandomSource& random) {
  while (true) {
    std::vector<AttributeIndex> attributes;
    for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
      if (random.NextBelow(3) == 0) attributes.push_back(attribute);
    }
    Clique clique(std::move(attributes));
    if (const auto cells = CellCount(domain, clique); cells.ok() && *cells <= max_cells) return clique;
  }
}

double AnyNumber(RandomSource& random) { return (random.NextUnit() - 0.5) * std::exp(100 * (random.NextUnit() - 0.5)); }

FitReport SmallReport() {
  FitReport report;
  report.algorithm = "aim";
  report.epsilon = 1;
  report.delta = 1e-6;
  report.rho = 0.0125;
  report.rho_spent = 0.0120;
  report.adjacency = "add or remove one record";
  report.noise = "secure";
  report.rounds = 3;
  report.quality = {.iterations = 100, .loss = 0.75, .gap = 0.001};
  report.confidence = 0.95;
  report.measurements = {{Clique({0}), {10.5, -1}, 4}, {Clique({0, 1}), {1, 2, 3, 4, 5, 6}, 2.5}};
  report.bounds = {{Clique({0}), true, 5.25}, {Clique({1}), false, std::numeric_limits<double>::infinity()}};
  return report;
}

constexpr double kZero = -std::numeric_limits<double>::infinity();

Model SmallModelOver(const Domain& domain, Parallel& parallel) {
  return Model::Create(domain, {Clique({0, 1}), Clique({1})}, {0, 1, kZero, 0.1, -2, 0.3, 1, 2, 3}, 1000.25, 100,
                       parallel)
      .value();
}

Levels SmallLevels() {
  Bins bins = Bins::Create(Domain::Create({{"sex", 2}, {"age", 5}}).value(), {{}, {0, 2, 1, 0, 2}}).value();
  return Levels::Create(std::move(bins), {{}, {0.1, 1, 1, 0.2, 0}}).value();
}

FitReport SmallReportWithLevels() {
  FitReport report = SmallReport();
  report.measurements.push_back({Clique({1}), {7, 8, 9.5, -10, 11}, 3});
  return report;
}

}  // namespace

Schema SchemaOver(const Domain& domain) {
  SchemaSpec spec;
  for (const Attribute& attribute : domain.attributes()) {
    std::vector<std::string> values;
    for (std::int64_t code = 0; code < attribute.size; ++code) values.push_back(fmt::format("v{}", code));
    spec.columns.push_back(
        {attribute.name, CategoricalType::Create({std::move(values), {}}).value(), false, false, {}});
  }
  return Schema::Create(std::move(spec)).value();
}

FitReport RandomReport(const Schema& schema, std::int64_t max_cells, RandomSource& random, const Levels* levels) {
  FitReport report;
  report.algorithm = "aim \"quoted\" é";
  report.epsilon = random.NextUnit();
  report.delta = std::numeric_limits<double>::denorm_min();
  report.rho = std::numeric_limits<double>::infinity();
  report.rho_spent = AnyNumber(random);
  report.adjacency = "add or remove one record";
  report.noise = random.Provenance();
  report.derived_from_private_rows = schema.spec().derived_from_private_rows;
  report.rounds = static_cast<std::int64_t>(random.NextU64() >> 1);
  report.quality = {.iterations = 7, .loss = -0.0, .gap = AnyNumber(random)};
  report.confidence = 1.0 / 3;
  for (std::uint64_t count = random.NextBelow(4); count > 0; --count) {
    Measurement measurement{RandomClique(schema.domain(), max_cells, random), {}, random.NextUnit() + 0.1};
    const bool is_over_bins = levels != nullptr && random.NextBelow(2) == 0;
    const Domain& domain = is_over_bins ? levels->bins().bins() : schema.domain();
    measurement.values.resize(CellCount(domain, measurement.clique).value());
    for (double& value : measurement.values) value = AnyNumber(random);
    report.measurements.push_back(std::move(measurement));
    report.bounds.push_back({RandomClique(schema.domain(), max_cells, random), count == 1, AnyNumber(random)});
  }
  return report;
}

SmallModel::SmallModel()
    : schema(SchemaOver(Domain::Create({{"sex", 2}, {"age", 3}}).value())),
      report(SmallReport()),
      model(SmallModelOver(schema.domain(), parallel)) {}

SmallModelWithLevels::SmallModelWithLevels()
    : schema(SchemaOver(SmallLevels().bins().values())),
      report(SmallReportWithLevels()),
      model(SmallModelOver(SmallLevels().bins().bins(), parallel).WithLevels(SmallLevels())) {}

std::string Written(const Schema& schema, const FitReport& report, const Model& model) {
  std::string bytes;
  const absl::Status status = WriteModel(schema, report, model, *StringSink("test.flaim", &bytes));
  CHECK(status.ok(), "{}", status.ToString());
  return bytes;
}

}  // namespace flaim
