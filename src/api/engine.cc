#include "flaim/engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/answer.h"
#include "api/error.h"
#include "base/status.h"
#include "model/estimation/estimation.h"

namespace flaim::api {

struct Distribution::Parts {
  flaim::Model model;
};

namespace {

absl::StatusOr<Domain> DomainOf(const std::vector<Attribute>& attributes) {
  std::vector<flaim::Attribute> domain;
  for (const Attribute& attribute : attributes) {
    domain.push_back({});
    domain.back().name = attribute.name;
    domain.back().size = attribute.size;
  }
  return Domain::Create(std::move(domain));
}

absl::StatusOr<Measurement> MeasurementOf(const Domain& domain, const NoisyMarginal& marginal) {
  ASSIGN_OR_RETURN(Clique clique, CliqueOf(domain, marginal.columns));
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
  if (static_cast<std::int64_t>(marginal.values.size()) != cells) {
    return InvalidArgument("a marginal over {} has {} cells, not {}", CliqueName(domain, clique), cells,
                           marginal.values.size());
  }
  if (!std::all_of(marginal.values.begin(), marginal.values.end(), [](double value) { return std::isfinite(value); })) {
    return InvalidArgument("a marginal over {} has values that are not finite", CliqueName(domain, clique));
  }
  if (!(marginal.variance > 0) || !std::isfinite(marginal.variance)) {
    return InvalidArgument("the variance of a marginal over {} must be positive", CliqueName(domain, clique));
  }
  return Measurement{std::move(clique), marginal.values, marginal.variance};
}

absl::StatusOr<flaim::Model> ModelOf(const std::vector<Attribute>& attributes,
                                     const std::vector<NoisyMarginal>& marginals, std::int64_t max_cells) {
  if (marginals.empty()) return InvalidArgument("there are no marginals to estimate from");
  ASSIGN_OR_RETURN(const Domain domain, DomainOf(attributes));
  std::vector<Measurement> measurements;
  for (const NoisyMarginal& marginal : marginals) {
    ASSIGN_OR_RETURN(Measurement measurement, MeasurementOf(domain, marginal));
    measurements.push_back(std::move(measurement));
  }
  const double total = EstimateTotal(measurements);
  const EstimationProblem problem{domain, std::move(measurements), {}, total, max_cells};
  Parallel parallel(Parallel::HardwareThreads());
  ASSIGN_OR_RETURN(flaim::Estimate estimate, EstimateModel(problem, nullptr, {}, parallel));
  return std::move(estimate.model);
}

}  // namespace

Distribution::Distribution(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Distribution::Distribution(Distribution&&) noexcept = default;
Distribution& Distribution::operator=(Distribution&&) noexcept = default;
Distribution::~Distribution() = default;

double Distribution::records() const { return parts_->model.total(); }

Result<std::vector<double>> Distribution::Marginal(const std::vector<std::string>& columns) const {
  return ResultOf(MarginalOf(parts_->model, columns));
}

Result<Distribution> Estimate(const std::vector<Attribute>& domain, const std::vector<NoisyMarginal>& marginals,
                              std::int64_t max_cells) {
  absl::StatusOr<flaim::Model> model = ModelOf(domain, marginals, max_cells);
  if (!model.ok()) return ErrorOf(model.status());
  return Distribution(std::make_unique<Distribution::Parts>(Distribution::Parts{*std::move(model)}));
}

}  // namespace flaim::api
