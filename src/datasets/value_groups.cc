#include "datasets/value_groups.h"

#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

using GroupOfValue = std::map<std::string, std::uint32_t>;

absl::StatusOr<GroupOfValue> IndexGroups(const std::vector<ValueGroup>& groups) {
  GroupOfValue group_of_value;
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    for (const std::string& value : groups[group].values) {
      if (group_of_value.emplace(value, group).second) continue;
      return InvalidArgument("value {} is in two groups; leave it in one", QuoteForMessage(value));
    }
  }
  return group_of_value;
}

absl::StatusOr<std::vector<std::uint32_t>> GroupOfCode(const std::vector<std::string>& values, GroupOfValue groups) {
  std::vector<std::uint32_t> group_of_code;
  for (const std::string& value : values) {
    const auto found = groups.find(value);
    if (found == groups.end()) return InvalidArgument("value {} is in no group; put it in one", QuoteForMessage(value));
    group_of_code.push_back(found->second);
    groups.erase(found);
  }
  if (groups.empty()) return group_of_code;
  return InvalidArgument("the groups name {}, which the column does not have", QuoteForMessage(groups.begin()->first));
}

CodeColumn Translate(const CodeSpan& codes, const std::vector<std::uint32_t>& translation, std::int64_t size) {
  return std::visit(
      [&](auto from) {
        CodeColumn translated = MakeCodeColumn(size, from.size());
        std::visit(
            [&](auto& to) {
              using Code = typename std::remove_reference_t<decltype(to)>::value_type;
              for (std::size_t row = 0; row < from.size(); ++row) to[row] = static_cast<Code>(translation[from[row]]);
            },
            translated);
        return translated;
      },
      codes);
}

}  // namespace

CodeColumn CopyOf(const CodeSpan& codes) {
  return std::visit(
      [](auto from) -> CodeColumn {
        return std::vector<std::remove_const_t<typename decltype(from)::element_type>>(from.begin(), from.end());
      },
      codes);
}

absl::StatusOr<SchemaAndTable> MergeValues(const SchemaAndTable& original, const std::string& column,
                                           const std::vector<ValueGroup>& groups) {
  const std::optional<AttributeIndex> merged = original.schema.domain().Find(column);
  if (!merged) return InvalidArgument("there is no column {} whose values could be merged", QuoteForMessage(column));
  SchemaSpec spec = original.schema.spec();
  ColumnSpec& merged_spec = spec.columns[static_cast<std::size_t>(*merged)];
  const auto* type = std::get_if<CategoricalType>(&merged_spec.type);
  if (type == nullptr || merged_spec.nullable || type->spec().other) {
    return InvalidArgument("column {} is not a plain list of values, so they cannot be merged",
                           QuoteForMessage(column));
  }
  ASSIGN_OR_RETURN(GroupOfValue group_of_value, IndexGroups(groups));
  ASSIGN_OR_RETURN(const std::vector<std::uint32_t> group_of_code,
                   GroupOfCode(type->spec().values, std::move(group_of_value)));
  CategoricalSpec names;
  for (const ValueGroup& group : groups) names.values.push_back(group.name);
  ASSIGN_OR_RETURN(CategoricalType merged_type, CategoricalType::Create(std::move(names)));
  merged_spec.type = std::move(merged_type);
  ASSIGN_OR_RETURN(Schema schema, Schema::Create(std::move(spec)));

  std::vector<CodeColumn> columns;
  for (AttributeIndex attribute = 0; attribute < schema.domain().size(); ++attribute) {
    const CodeSpan codes = original.table.column(attribute);
    columns.push_back(attribute == *merged ? Translate(codes, group_of_code, std::ssize(groups)) : CopyOf(codes));
  }
  const Table table = Table::FromColumns(schema.domain(), std::move(columns));
  return SchemaAndTable{std::move(schema), table};
}

}  // namespace flaim
