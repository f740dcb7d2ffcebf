#include "marginal/workload_spec.h"

#include <charconv>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

std::vector<std::string_view> SplitAtColons(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

template <typename Number>
absl::StatusOr<Number> ParseNumber(std::string_view text, std::string_view what, Number smallest) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < smallest) {
    return InvalidArgument("\"{}\" in the workload is not {}: write a whole number from {} to {}", text, what, smallest,
                           std::numeric_limits<Number>::max());
  }
  return number;
}

absl::StatusOr<CellLimit> ParseCellLimit(const std::vector<std::string_view>& parts, std::size_t position) {
  if (position >= parts.size()) return CellLimit();
  ASSIGN_OR_RETURN(const std::int64_t cells, ParseNumber<std::int64_t>(parts[position], "a limit on cells", 1));
  return CellLimit(cells);
}

absl::StatusOr<WorkloadSpec> ParseAll(const std::vector<std::string_view>& parts) {
  if (parts.size() < 2 || parts.size() > 3) {
    return InvalidArgument("write the workload as all:K or all:K:CELLS, for example all:3:10000");
  }
  AllKWaySpec spec;
  ASSIGN_OR_RETURN(spec.k, ParseNumber<int>(parts[1], "a number of columns", 1));
  ASSIGN_OR_RETURN(spec.cell_limit, ParseCellLimit(parts, 2));
  return spec;
}

absl::StatusOr<WorkloadSpec> ParseRandom(const std::vector<std::string_view>& parts) {
  if (parts.size() < 4 || parts.size() > 5) {
    return InvalidArgument(
        "write the workload as random:COUNT:K:SEED or random:COUNT:K:SEED:CELLS, for example random:64:3:1");
  }
  RandomKWaySpec spec;
  ASSIGN_OR_RETURN(spec.count, ParseNumber<std::size_t>(parts[1], "a number of marginals", 1));
  ASSIGN_OR_RETURN(spec.k, ParseNumber<int>(parts[2], "a number of columns", 1));
  ASSIGN_OR_RETURN(spec.seed, ParseNumber<std::uint64_t>(parts[3], "a seed", 0));
  ASSIGN_OR_RETURN(spec.cell_limit, ParseCellLimit(parts, 4));
  return spec;
}

absl::StatusOr<Workload> Make(const Domain& domain, const AllKWaySpec& spec) {
  return AllKWay(domain, spec.k, spec.cell_limit);
}

absl::StatusOr<Workload> Make(const Domain& domain, const RandomKWaySpec& spec) {
  SeededRandomSource random(spec.seed, "workload");
  return RandomKWay(domain, spec.count, spec.k, random, spec.cell_limit);
}

absl::StatusOr<Workload> Make(const Domain& domain, const WorkloadFileSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(spec.path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxFileBytes));
  return Workload::FromJson(domain, text, spec.path);
}

}  // namespace

absl::StatusOr<WorkloadSpec> ParseWorkloadSpec(const std::string& text) {
  if (text.empty())
    return InvalidArgument("the workload is empty: write all:K, random:COUNT:K:SEED or the path of a JSON file");
  const std::vector<std::string_view> parts = SplitAtColons(text);
  if (parts.front() == "all") return ParseAll(parts);
  if (parts.front() == "random") return ParseRandom(parts);
  return WorkloadFileSpec{text};
}

absl::StatusOr<Workload> MakeWorkload(const Domain& domain, const WorkloadSpec& spec) {
  return std::visit([&](const auto& alternative) { return Make(domain, alternative); }, spec);
}

}  // namespace flaim
