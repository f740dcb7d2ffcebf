#include "experiments/report/tables/paper_numbers.h"

#include <algorithm>

namespace flaim {
namespace {

KeyValue ToKeyValue(const SettingValue& value) {
  return std::visit([](const auto& content) { return KeyValue(content); }, value);
}

bool Fits(const Place& place, const std::string& key, const KeyValue& value) {
  for (const auto& [row_key, row_value] : place.row) {
    if (row_key == key) return row_value == value;
  }
  if (place.column.first == key && !place.column.second.is_null()) return place.column.second == value;
  return place.runs.AllHaveOrLack(key, value);
}

bool SaysColumn(const PaperValue& paper, const Place& place) {
  const std::string& key = place.column.first;
  if (place.column.second.is_null() || paper.where.contains(key)) return true;
  const std::vector<const ViewedRun*>& runs = place.runs.Runs();
  return std::any_of(runs.begin(), runs.end(), [&](const ViewedRun* run) { return run->Get(key).is_null(); });
}

bool BelongsTo(const PaperValue& paper, const Place& place) {
  return SaysColumn(paper, place) && std::all_of(paper.where.begin(), paper.where.end(), [&](const auto& item) {
           return Fits(place, item.first, ToKeyValue(item.second));
         });
}

PaperNumber NumberOf(const PaperValue& paper, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (const auto found = paper.results.find(name); found != paper.results.end()) return {found->second, ""};
  }
  return {std::nullopt, paper.results.empty() ? paper.text : ""};
}

bool HasOneOf(const PaperValue& paper, std::span<const std::string> names) { return !NumberOf(paper, names).IsEmpty(); }

}  // namespace

PaperNumber FindPaperNumber(std::span<const PaperValue> paper, const Place& place, std::span<const std::string> names) {
  const PaperValue* best = nullptr;
  for (const PaperValue& value : paper) {
    const bool says_more = best == nullptr || value.where.size() > best->where.size();
    if (says_more && HasOneOf(value, names) && BelongsTo(value, place)) best = &value;
  }
  return best == nullptr ? PaperNumber() : NumberOf(*best, names);
}

std::vector<std::vector<KeyValue>> RowsOnlyInPaper(std::span<const PaperValue> paper, const RunSelection& runs,
                                                   std::span<const std::string> row_keys, const std::string& column_key,
                                                   std::span<const std::string> results,
                                                   std::span<const std::vector<KeyValue>> known_rows) {
  const std::vector<KeyValue> columns = runs.Values(column_key);
  std::vector<std::vector<KeyValue>> rows;
  for (const PaperValue& value : paper) {
    if (!HasOneOf(value, results)) continue;
    std::vector<KeyValue> row;
    for (const std::string& key : row_keys) {
      if (const auto found = value.where.find(key); found != value.where.end())
        row.push_back(ToKeyValue(found->second));
    }
    const bool is_here = std::all_of(value.where.begin(), value.where.end(), [&](const auto& item) {
      const auto& [key, setting] = item;
      if (std::find(row_keys.begin(), row_keys.end(), key) != row_keys.end()) return true;
      if (key == column_key) return std::find(columns.begin(), columns.end(), ToKeyValue(setting)) != columns.end();
      return runs.AllHaveOrLack(key, ToKeyValue(setting));
    });
    const bool is_known = std::find(known_rows.begin(), known_rows.end(), row) != known_rows.end() ||
                          std::find(rows.begin(), rows.end(), row) != rows.end();
    if (row.size() == row_keys.size() && is_here && !is_known) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace flaim
