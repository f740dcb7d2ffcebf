#include "model/sampling/synthetic_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

constexpr std::int64_t kIndexMax = std::numeric_limits<std::uint32_t>::max();

template <typename Code>
void AppendDigit(std::span<std::uint32_t> numbers, std::uint32_t size, const std::vector<Code>& digits) {
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = numbers[i] * size + digits[i];
}

template <typename Code>
void RemoveDigit(std::span<std::uint32_t> numbers, std::uint32_t size, std::vector<Code>& digits) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    digits[i] = static_cast<Code>(numbers[i] % size);
    numbers[i] /= size;
  }
}

}  // namespace

RowSampler::RowSampler(const Model& model, SamplingMethod method)
    : domain_(model.domain()), bins_(model.tree().domain()), method_(method) {
  for (std::size_t i = 0; i < model.tree().nodes().size(); ++i) {
    const JunctionTree::Node& node = model.tree().nodes()[i];
    CHECK(node.rows <= kIndexMax && node.columns <= kIndexMax);
    const auto own = node.attributes.begin() + node.separator_length;
    plans_.push_back({ConditionalSampler(model.NodeMarginal(static_cast<int>(i)), node.columns),
                      static_cast<std::uint32_t>(node.rows),
                      {node.attributes.begin(), own},
                      {own, node.attributes.end()}});
  }
  if (model.levels() == nullptr) return;
  for (AttributeIndex attribute = 0; attribute < domain_.size(); ++attribute) {
    if (!model.levels()->bins().HasBins(attribute)) continue;
    level_plans_.push_back({LevelSampler(*model.levels(), attribute), attribute});
  }
}

Table RowSampler::Next(std::size_t rows, RandomSource& random) {
  CHECK(rows <= std::size_t{1} << 31);
  std::vector<CodeColumn> columns;
  for (const Attribute& attribute : bins_.attributes()) columns.push_back(MakeCodeColumn(attribute.size, rows));
  state_.resize(rows);
  outcome_.resize(rows);
  for (const NodePlan& plan : plans_) {
    FindStates(plan.separator, columns);
    DrawOutcomes(plan.sampler, plan.states, random);
    WriteCodes(plan.own, columns);
  }
  for (const LevelPlan& plan : level_plans_) {
    const std::span<const AttributeIndex> attribute(&plan.attribute, 1);
    FindStates(attribute, columns);
    DrawOutcomes(plan.sampler, plan.sampler.bins(), random);
    columns[plan.attribute] = MakeCodeColumn(domain_[plan.attribute].size, rows);
    WriteCodes(attribute, columns);
  }
  return Table::FromColumns(domain_, std::move(columns));
}

void RowSampler::FindStates(std::span<const AttributeIndex> separator, const std::vector<CodeColumn>& columns) {
  std::fill(state_.begin(), state_.end(), 0);
  for (const AttributeIndex attribute : separator) {
    const auto size = static_cast<std::uint32_t>(bins_[attribute].size);
    std::visit([&](const auto& codes) { AppendDigit<>(state_, size, codes); }, columns[attribute]);
  }
}

template <typename Sampler>
void RowSampler::DrawOutcomes(const Sampler& sampler, std::uint32_t states, RandomSource& random) {
  if (method_ == SamplingMethod::kExact) {
    DrawExactOutcomes(sampler, random);
  } else {
    DrawRoundedOutcomes(sampler, states, random);
  }
}

template <typename Sampler>
void RowSampler::DrawExactOutcomes(const Sampler& sampler, RandomSource& random) {
  for (std::size_t row = 0; row < state_.size(); ++row) outcome_[row] = sampler.Draw(state_[row], random);
}

template <typename Sampler>
void RowSampler::DrawRoundedOutcomes(const Sampler& sampler, std::uint32_t states, RandomSource& random) {
  if (states == 1) {
    sampler.DrawRounded(0, outcome_, random);
    return;
  }
  group_end_.assign(states, 0);
  for (const std::uint32_t state : state_) ++group_end_[state];
  std::uint32_t first = 0;
  for (std::uint32_t& group : group_end_) first += std::exchange(group, first);
  grouped_rows_.resize(state_.size());
  grouped_outcomes_.resize(state_.size());
  for (std::uint32_t row = 0; row < state_.size(); ++row) grouped_rows_[group_end_[state_[row]]++] = row;

  std::uint32_t begin = 0;
  for (std::uint32_t state = 0; state < states; ++state) {
    const std::uint32_t end = group_end_[state];
    if (begin == end) continue;
    sampler.DrawRounded(state, std::span(grouped_outcomes_).subspan(begin, end - begin), random);
    begin = end;
  }
  for (std::size_t i = 0; i < grouped_rows_.size(); ++i) outcome_[grouped_rows_[i]] = grouped_outcomes_[i];
}

void RowSampler::WriteCodes(std::span<const AttributeIndex> own, std::vector<CodeColumn>& columns) {
  for (std::size_t i = own.size(); i-- > 1;) {
    const auto size = static_cast<std::uint32_t>(bins_[own[i]].size);
    std::visit([&](auto& codes) { RemoveDigit<>(outcome_, size, codes); }, columns[own[i]]);
  }
  if (own.empty()) return;
  std::visit([&](auto& codes) { std::copy(outcome_.begin(), outcome_.end(), codes.begin()); }, columns[own[0]]);
}

absl::Status StreamRows(RowSampler& sampler, std::uint64_t rows, RandomSource& random,
                        const std::function<absl::Status(const Table&)>& consume) {
  const std::uint64_t batches = rows / kBatchRows + (rows % kBatchRows == 0 ? 0 : 1);
  for (std::uint64_t batch = 0; batch < batches; ++batch) {
    const std::uint64_t size = rows / batches + (batch < rows % batches ? 1 : 0);
    RETURN_IF_ERROR(consume(sampler.Next(size, random)));
  }
  return absl::OkStatus();
}

}  // namespace flaim
