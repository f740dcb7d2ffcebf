#include "evaluation/log_likelihood.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <variant>
#include <vector>

#include "base/status.h"

namespace flaim {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();
constexpr std::size_t kBlockRows = 1024;

double LogDomainSize(const Domain& domain) {
  double log_size = 0;
  for (const Attribute& attribute : domain.attributes()) log_size += std::log(static_cast<double>(attribute.size));
  return log_size;
}

// log(exp(left) + exp(right)).
double LogOfSum(double left, double right) {
  const double larger = std::max(left, right);
  if (larger == kLogZero) return kLogZero;
  return larger + std::log1p(std::exp(std::min(left, right) - larger));
}

class Smoothing {
 public:
  Smoothing(double uniform_share, const Domain& domain)
      : log_model_share_(std::log1p(-uniform_share)), log_uniform_(std::log(uniform_share) - LogDomainSize(domain)) {}

  double LogDensity(double model_log_density) const {
    return LogOfSum(log_model_share_ + model_log_density, log_uniform_);
  }

 private:
  double log_model_share_;
  double log_uniform_;
};

// Calls back with one record after the other. Columns are read block by block, so that each stays in the cache.
void ForEachRecord(const Table& table, const std::function<void(std::span<const std::uint32_t>)>& visit) {
  const auto width = static_cast<std::size_t>(table.domain().size());
  std::vector<std::uint32_t> block(kBlockRows * width);
  for (std::size_t begin = 0; begin < table.rows(); begin += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, table.rows() - begin);
    for (std::size_t attribute = 0; attribute < width; ++attribute) {
      std::visit(
          [&](const auto codes) {
            for (std::size_t row = 0; row < rows; ++row) block[row * width + attribute] = codes[begin + row];
          },
          table.column(static_cast<AttributeIndex>(attribute)));
    }
    for (std::size_t row = 0; row < rows; ++row) visit(std::span(block).subspan(row * width, width));
  }
}

absl::Status CheckInput(const Model& model, const Table& held_out, const LikelihoodOptions& options) {
  if (!(options.uniform_share >= 0 && options.uniform_share <= 1)) {
    return InvalidArgument("{} is no share for smoothing; choose one from 0 to 1, for example {}",
                           options.uniform_share, LikelihoodOptions::kDefaultUniformShare);
  }
  if (held_out.domain() != model.domain()) {
    return InvalidArgument("the held-out rows and the model have different columns or codes; use the model's schema");
  }
  if (held_out.rows() == 0) {
    return InvalidArgument("there are no held-out rows to take the likelihood of; give at least one");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<HeldOutLikelihood> EvaluateLikelihood(const Model& model, const Table& held_out,
                                                     const LikelihoodOptions& options) {
  RETURN_IF_ERROR(CheckInput(model, held_out, options));
  const Smoothing smoothing(options.uniform_share, model.domain());
  HeldOutLikelihood result{.records = held_out.rows()};
  double smoothed_sum = 0;
  double exact_sum = 0;
  ForEachRecord(held_out, [&](std::span<const std::uint32_t> record) {
    const double log_density = model.LogDensity(record);
    if (log_density == kLogZero) ++result.impossible_records;
    exact_sum -= log_density;
    smoothed_sum -= smoothing.LogDensity(log_density);
  });
  result.exact_nats = exact_sum / static_cast<double>(result.records);
  result.smoothed_nats = smoothed_sum / static_cast<double>(result.records);
  return result;
}

}  // namespace flaim
