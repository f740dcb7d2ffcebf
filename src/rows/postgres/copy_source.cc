#include "rows/postgres/copy_source.h"

#include "base/status.h"

namespace flaim {
namespace {

absl::Status From(const std::string& name, const absl::Status& status) {
  return {status.code(), fmt::format("{}: {}", name, std::string(status.message()))};
}

}  // namespace

absl::StatusOr<std::unique_ptr<PostgresCopySource>> PostgresCopySource::Start(PostgresSnapshot& snapshot,
                                                                              const std::string& statement,
                                                                              std::string name,
                                                                              PostgresSnapshot::GoOn go_on) {
  if (const absl::Status status = snapshot.StartCopy(statement, std::move(go_on)); !status.ok())
    return From(name, status);
  return std::unique_ptr<PostgresCopySource>(new PostgresCopySource(snapshot, std::move(name)));
}

PostgresCopySource::~PostgresCopySource() {
  if (!ended_) snapshot_.Close();
}

absl::StatusOr<std::size_t> PostgresCopySource::Read(std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size() && !ended_) {
    if (unserved_.empty()) {
      const absl::StatusOr<std::string_view> line = snapshot_.NextCopiedLine();
      if (!line.ok()) return From(name_, line.status());
      unserved_ = *line;
      ended_ = unserved_.empty();
    }
    const std::size_t count = unserved_.copy(out.data() + filled, out.size() - filled);
    unserved_.remove_prefix(count);
    filled += count;
  }
  return filled;
}

}  // namespace flaim
