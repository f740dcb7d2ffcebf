#include "partition/clustering.h"

#include <utility>

#include "base/status.h"
#include "partition/k_means.h"
#include "partition/umap/umap.h"

namespace flaim {

absl::StatusOr<Partition> PartitionByClusters(const Table& table, std::size_t clients, std::uint64_t seed,
                                              Parallel& parallel, ProgressSink* progress) {
  if (clients == 0 || clients > kMaxClusters) {
    return InvalidArgument("rows cannot be clustered into {} clients; give 1 to {}", clients, kMaxClusters);
  }
  if (table.rows() < clients) {
    return InvalidArgument(
        "{} rows cannot be clustered into {} clients, each of which has at least one; give at most "
        "as many clients as rows, or deal the rows at random (iid)",
        table.rows(), clients);
  }
  NoProgress no_progress;
  ProgressSink& sink = progress == nullptr ? no_progress : *progress;
  ASSIGN_OR_RETURN(const PlanePoints places, EmbedInPlane(CodesAsPoints(table), {.seed = seed}, parallel, sink));
  sink.Report({.step = "clustering rows", .done = 0, .total = 1, .detail = ""});
  Clustering clustering = FindClusters(places, {.clusters = clients, .seed = seed}, parallel);
  sink.Report({.step = "clustering rows", .done = 1, .total = 1, .detail = ""});
  return Partition{.client_of_row = std::move(clustering.cluster_of), .clients = clients};
}

}  // namespace flaim
