#include "rows/postgres/code.h"

#include "base/status.h"
#include "io/number_text.h"
#include "rows/postgres/names.h"

namespace flaim {
namespace {

constexpr std::int64_t kNull = -1;
constexpr char kTextMark = '=';

std::string ArrayElement(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

void PostgresCode::Add(std::string_view text, std::uint32_t code, Rank rank) {
  if (rank == Rank::kNull) {
    null_code_ = code;
    return;
  }
  if (!has_runs_ || (!runs_.empty() && runs_.back().code == code)) return;
  if (rank == Rank::kEqual || runs_.size() == kMaxRuns) {
    has_runs_ = false;
    runs_.clear();
    return;
  }
  runs_.push_back({std::string(text), code});
}

std::string PostgresCode::Sql(const PostgresColumn& column) const {
  if (!has_runs_) return fmt::format("pg_catalog.concat('{}', {}) COLLATE \"C\"", kTextMark, column.field);
  if (runs_.empty()) return fmt::format("CAST({} AS pg_catalog.int4)", kNull);
  std::string firsts;
  for (const Run& run : runs_) firsts += fmt::format("{}{}", firsts.empty() ? "" : ",", ArrayElement(run.first));
  return fmt::format("COALESCE(pg_catalog.width_bucket({}, CAST({} AS {}[])), {})", column.order,
                     QuoteLiteral(fmt::format("{{{}}}", firsts)), column.order_type, kNull);
}

PostgresCode::Answer PostgresCode::Read(std::string_view answer) const {
  if (!has_runs_) {
    if (!answer.starts_with(kTextMark)) return {};
    return {.code = std::nullopt, .text = answer.substr(1)};
  }
  const std::optional<std::int64_t> run = ParseInteger(answer);
  if (run == kNull) return {.code = null_code_, .text = std::nullopt};
  if (!run || *run < 1 || *run > std::ssize(runs_)) return {};
  return {.code = runs_[static_cast<std::size_t>(*run - 1)].code, .text = std::nullopt};
}

}  // namespace flaim
