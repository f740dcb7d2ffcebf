#include "app/request/zeros_file.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/request/value_match.h"
#include "base/status.h"
#include "io/byte_source.h"
#include "io/message_text.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{64} << 20;
constexpr std::int64_t kMaxCells = std::int64_t{1} << 24;
constexpr const char* kShape =
    R"(it should look like [{"columns": ["sex", "pregnant"], "impossible": [["M", "yes"]]}])";

absl::StatusOr<std::vector<std::string>> Texts(const nlohmann::json& list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return InvalidArgument("{}", kShape);
  for (const nlohmann::json& item : list) {
    if (!item.is_string() && !item.is_number()) return InvalidArgument("{}", kShape);
    texts.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  }
  return texts;
}

absl::StatusOr<std::vector<AttributeIndex>> Attributes(const Domain& domain, const nlohmann::json& list) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, Texts(list));
  std::vector<AttributeIndex> attributes;
  for (const std::string& name : names) {
    const std::optional<AttributeIndex> attribute = domain.Find(name);
    if (!attribute) return InvalidArgument("the schema has no column {}", QuoteForMessage(name));
    if (std::find(attributes.begin(), attributes.end(), *attribute) != attributes.end()) {
      return InvalidArgument("column {} is named twice in one entry", QuoteForMessage(name));
    }
    attributes.push_back(*attribute);
  }
  if (attributes.empty()) return InvalidArgument("an entry names no columns; {}", kShape);
  return attributes;
}

// Adds the cells of one impossible combination: each text can stand for several codes.
absl::Status AddCells(const Schema& schema, const std::vector<AttributeIndex>& attributes,
                      const std::vector<std::string>& texts, std::set<std::int64_t>& cells) {
  if (texts.size() != attributes.size()) {
    return InvalidArgument("an impossible combination has {} values for {} columns", texts.size(), attributes.size());
  }
  std::map<AttributeIndex, std::vector<std::uint32_t>> codes;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Column& column = schema.columns()[static_cast<std::size_t>(attributes[i])];
    ASSIGN_OR_RETURN(codes[attributes[i]], CodesMeantBy(column, texts[i]));
  }
  std::vector<std::int64_t> positions = {0};
  for (const auto& [attribute, allowed] : codes) {
    if (std::ssize(positions) * std::ssize(allowed) > kMaxCells) {
      return InvalidArgument("a combination stands for more than {} cells; use narrower ranges", kMaxCells);
    }
    std::vector<std::int64_t> longer;
    for (const std::int64_t position : positions) {
      for (const std::uint32_t code : allowed) longer.push_back(position * schema.domain()[attribute].size + code);
    }
    positions = std::move(longer);
  }
  cells.insert(positions.begin(), positions.end());
  return absl::OkStatus();
}

absl::StatusOr<StructuralZeros> Entry(const Schema& schema, const nlohmann::json& entry) {
  if (!entry.is_object() || entry.size() != 2 || !entry.contains("columns") || !entry.contains("impossible") ||
      !entry["impossible"].is_array()) {
    return InvalidArgument("{}", kShape);
  }
  ASSIGN_OR_RETURN(const std::vector<AttributeIndex> attributes, Attributes(schema.domain(), entry["columns"]));
  const Clique clique(attributes);
  RETURN_IF_ERROR(CellCount(schema.domain(), clique).status());
  std::set<std::int64_t> cells;
  for (const nlohmann::json& combination : entry["impossible"]) {
    ASSIGN_OR_RETURN(const std::vector<std::string> texts, Texts(combination));
    RETURN_IF_ERROR(AddCells(schema, attributes, texts, cells));
  }
  return StructuralZeros{clique, {cells.begin(), cells.end()}};
}

absl::StatusOr<std::vector<StructuralZeros>> ParseZeros(const Schema& schema, const std::string& text) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_array()) return InvalidArgument("{}", kShape);
  std::vector<StructuralZeros> zeros;
  for (const nlohmann::json& item : document) {
    ASSIGN_OR_RETURN(zeros.emplace_back(), Entry(schema, item));
  }
  return zeros;
}

}  // namespace

absl::StatusOr<std::vector<StructuralZeros>> ReadZerosFile(const std::string& path, const Schema& schema) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, OpenByteSource(path));
  ASSIGN_OR_RETURN(const std::string text, ReadAll(*source, kMaxBytes));
  absl::StatusOr<std::vector<StructuralZeros>> zeros = ParseZeros(schema, text);
  if (zeros.ok()) return zeros;
  return InvalidArgument("{}: {}", path, std::string(zeros.status().message()));
}

}  // namespace flaim
