#include "partition/deal.h"

#include <optional>
#include <variant>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "data/table/column_codes.h"
#include "io/message_text.h"
#include "partition/clustering.h"
#include "partition/label_skew.h"

namespace flaim {
namespace {

// One for each kind of partition.
struct Dealer {
  const Table& table;
  std::uint64_t seed;
  Parallel& parallel;
  ProgressSink* progress;

  absl::StatusOr<Partition> operator()(const IidSpec& spec) const {
    SeededRandomSource random(seed, "partition");
    return PartitionIid(table.rows(), spec.clients, random);
  }

  absl::StatusOr<Partition> operator()(const LabelSkewSpec& spec) const {
    const std::optional<AttributeIndex> column = table.domain().Find(spec.column);
    if (!column) {
      return InvalidArgument("the table has no column {} whose classes could be dealt by label skew",
                             QuoteForMessage(spec.column));
    }
    SeededRandomSource random(seed, "partition");
    return PartitionByLabelSkew(CodesOf(table, *column), spec.clients, spec.beta, random);
  }

  absl::StatusOr<Partition> operator()(const ClustersSpec& spec) const {
    return PartitionByClusters(table, spec.clients, seed, parallel, progress);
  }

  absl::StatusOr<Partition> operator()(const ClientColumnSpec& spec) const {
    return InvalidArgument("the table itself does not say which client has which row; read it together with column {}",
                           QuoteForMessage(spec.name));
  }
};

}  // namespace

absl::StatusOr<Partition> DealRows(const Table& table, const PartitionSpec& spec, std::uint64_t seed,
                                   Parallel& parallel, ProgressSink* progress) {
  return std::visit(Dealer{table, seed, parallel, progress}, spec);
}

}  // namespace flaim
