#include "api/answer.h"

#include "base/status.h"
#include "io/message_text.h"

namespace flaim::api {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 28;

}  // namespace

absl::StatusOr<Clique> CliqueOf(const Domain& domain, const std::vector<std::string>& columns) {
  std::vector<AttributeIndex> attributes;
  for (const std::string& column : columns) {
    const std::optional<AttributeIndex> attribute = domain.Find(column);
    if (!attribute) return InvalidArgument("there is no column {}", QuoteForMessage(column));
    attributes.push_back(*attribute);
  }
  return Clique(std::move(attributes));
}

absl::StatusOr<std::vector<double>> MarginalOf(const flaim::Model& model, const std::vector<std::string>& columns) {
  ASSIGN_OR_RETURN(const Clique clique, CliqueOf(model.domain(), columns));
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(model.domain(), clique));
  if (cells > kMostCells) return InvalidArgument("a marginal of {} cells is too large: ask for fewer columns", cells);
  return model.Query().Answer(clique);
}

}  // namespace flaim::api
