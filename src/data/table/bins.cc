#include "data/table/bins.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

// The number of bins, if they are numbered 0, 1, ... without a gap.
absl::StatusOr<std::int64_t> CountBins(const Attribute& attribute, std::span<const std::uint32_t> bin_of_value) {
  if (std::ssize(bin_of_value) != attribute.size) {
    return InvalidArgument("column {} has {} values, but there are bins for {}", attribute.name, attribute.size,
                           bin_of_value.size());
  }
  std::vector<bool> is_used(bin_of_value.size(), false);
  for (const std::uint32_t bin : bin_of_value) {
    if (bin >= is_used.size()) {
      return InvalidArgument("column {}: bin {} of {} values leaves others empty", attribute.name, bin, attribute.size);
    }
    is_used[bin] = true;
  }
  const auto bins = std::count(is_used.begin(), is_used.end(), true);
  if (!std::all_of(is_used.begin(), is_used.begin() + bins, [](bool used) { return used; })) {
    return InvalidArgument("column {}: a bin below the last is empty", attribute.name);
  }
  return bins;
}

}  // namespace

absl::StatusOr<Bins> Bins::Create(Domain values, std::vector<std::vector<std::uint32_t>> bin_of_value) {
  if (std::ssize(bin_of_value) != values.size()) {
    return InvalidArgument("there are {} columns, but bins for {}", values.size(), bin_of_value.size());
  }
  std::vector<Attribute> attributes = values.attributes();
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (bin_of_value[i].empty()) continue;
    ASSIGN_OR_RETURN(const std::int64_t bins, CountBins(attributes[i], bin_of_value[i]));
    if (bins == attributes[i].size) bin_of_value[i].clear();
    attributes[i].size = bins;
  }
  ASSIGN_OR_RETURN(Domain bins, Domain::Create(std::move(attributes)));
  return Bins(std::move(values), std::move(bins), std::move(bin_of_value));
}

Bins Bins::OfSingleValues(Domain values) {
  std::vector<std::vector<std::uint32_t>> none(static_cast<std::size_t>(values.size()));
  Domain bins = values;
  return Bins(std::move(values), std::move(bins), std::move(none));
}

Bins::Bins(Domain values, Domain bins, std::vector<std::vector<std::uint32_t>> bin_of_value)
    : values_(std::move(values)), bins_(std::move(bins)), bin_of_value_(std::move(bin_of_value)) {}

bool Bins::HasBins() const {
  return std::any_of(bin_of_value_.begin(), bin_of_value_.end(), [](const auto& bins) { return !bins.empty(); });
}

std::vector<std::vector<std::uint32_t>> Bins::ValuesByBin(AttributeIndex attribute) const {
  CHECK(HasBins(attribute));
  std::vector<std::vector<std::uint32_t>> values(static_cast<std::size_t>(bins_[attribute].size));
  for (std::uint32_t value = 0; value < Of(attribute).size(); ++value) values[Of(attribute)[value]].push_back(value);
  return values;
}

Table Bins::Gather(const Table& rows) const {
  CHECK(rows.domain() == values_);
  std::vector<CodeColumn> columns;
  for (AttributeIndex attribute = 0; attribute < values_.size(); ++attribute) {
    CodeColumn gathered = MakeCodeColumn(bins_[attribute].size, rows.rows());
    std::visit(
        [&]<typename Code>(std::vector<Code>& bins, const auto& codes) {
          std::transform(codes.begin(), codes.end(), bins.begin(),
                         [&](auto code) { return static_cast<Code>(BinOf(attribute, code)); });
        },
        gathered, rows.column(attribute));
    columns.push_back(std::move(gathered));
  }
  return Table::FromColumns(bins_, std::move(columns));
}

}  // namespace flaim
