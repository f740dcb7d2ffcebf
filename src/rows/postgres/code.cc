#include "rows/postgres/code.h"

#include "base/status.h"
#include "fmt/ranges.h"
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

void PostgresCode::Add(const Value& value, Rank rank) {
  if (!value.fits) unfit_texts_.emplace_back(value.text);
  if (rank == Rank::kNull) {
    null_code_ = value.code;
    null_fits_ = value.fits;
    return;
  }
  const bool goes_on = !runs_.empty() && runs_.back().code == value.code && runs_.back().fits == value.fits;
  if (!has_runs_ || goes_on) return;
  if (rank == Rank::kEqual || runs_.size() == kMaxRuns) {
    has_runs_ = false;
    runs_.clear();
    return;
  }
  runs_.push_back({std::string(value.text), value.code, value.fits});
}

std::optional<std::string> PostgresCode::FitsSql(const PostgresColumn& column) const {
  if (unfit_texts_.empty()) return std::nullopt;
  std::vector<std::string> unfit;
  if (!has_runs_) {
    for (const std::string& text : unfit_texts_) unfit.push_back(QuoteLiteral(text));
    return fmt::format("pg_catalog.concat({}) COLLATE \"C\" NOT IN ({})", column.field, fmt::join(unfit, ", "));
  }
  if (!null_fits_) unfit.push_back(fmt::format("{}", kNull));
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].fits) unfit.push_back(fmt::format("{}", i + 1));
  }
  return fmt::format("{} NOT IN ({})", Sql(column), fmt::join(unfit, ", "));
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
