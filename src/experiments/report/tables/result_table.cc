#include "experiments/report/tables/result_table.h"

#include "experiments/report/tables/table_parts.h"
#include "fmt/format.h"

namespace flaim {
namespace {

Markup RenderCell(const TableCell& cell) {
  const std::string kind = cell.summary ? "v" : cell.value == kNotPlanned ? "n" : "absent";
  Markup content = Markup::Element(cell.is_best ? "b" : "span", {{"class", kind}}, cell.value);
  if (!cell.error.empty()) content += Markup::Element("span", {{"class", "e"}}, cell.error);
  if (!cell.note.empty()) content += Markup::Element("span", {{"class", "n"}}, cell.note);
  if (!cell.paper.empty()) {
    Markup paper = Markup::Text(fmt::format("paper {}", cell.paper));
    if (!cell.to_paper.empty()) paper += Markup::Element("span", {{"class", "d"}}, fmt::format(" {}", cell.to_paper));
    content += Markup::Element("span", {{"class", "p"}}, paper);
  }
  return Markup::Element("td", {{"title", cell.tooltip}}, content);
}

Markup RenderHead(const ResultTable& table) {
  Markup cells;
  for (const std::string& title : table.row_titles) cells += Markup::Element("th", {{"scope", "col"}}, title);
  for (const std::string& title : table.columns) {
    cells += Markup::Element("th", {{"scope", "col"}, {"class", "c"}}, title);
  }
  return Markup::Element("thead", {}, Markup::Element("tr", {}, cells));
}

Markup RenderGroup(const ResultTable& table, const TableGroup& group) {
  Markup rows;
  if (!group.title.empty()) {
    const std::string width = fmt::format("{}", table.row_titles.size() + table.columns.size());
    const Markup title =
        Markup::Element("th", {{"scope", "rowgroup"}, {"colspan", width}}, Markup::Element("span", {}, group.title));
    rows += Markup::Element("tr", {{"class", "group"}}, title);
  }
  for (const TableRow& row : group.rows) {
    Markup cells;
    for (const Markup& heading : row.headings) cells += Markup::Element("th", {{"scope", "row"}}, heading);
    for (const TableCell& cell : row.cells) cells += RenderCell(cell);
    rows += Markup::Element("tr", {{"class", row.is_ours ? "ours" : ""}}, cells);
  }
  return Markup::Element("tbody", {}, rows);
}

ResultTable MakeKind(const ResultsView& view, const TableLayout& layout) {
  switch (layout.kind) {
    case TableKind::kRanks:
      return MakeRankTable(view, layout);
    case TableKind::kOverhead:
      return MakeOverheadTable(view, layout);
    case TableKind::kRatio:
      return MakeRatioTable(view, layout);
    case TableKind::kMeans:
      break;
  }
  return MakeMeansTable(view, layout);
}

}  // namespace

ResultTable MakeTable(const ResultsView& view, const TableLayout& layout) {
  ResultTable table = MakeKind(view, layout);
  table.notes.emplace_back(HasPaperNumbers(table) ? "Blue: what the paper prints, and how far the mean here is from it."
                                                  : "The paper prints no numbers for this.");
  return table;
}

Markup RowHeading(const ResultsView& view, const std::string& key, const KeyValue& value) {
  Markup heading = Markup::Text(ValueTitle(key, value));
  if (key != "method" || !value.is_string()) return heading;
  const std::string method = value.get<std::string>();
  const auto mark = [&](const std::string& kind) {
    heading += Markup::Text(" ") + Markup::Element("span", {{"class", fmt::format("mark {}", kind)}}, kind);
  };
  if (view.IsOurs(method)) mark("ours");
  if (view.IsCentral(method)) mark("central");
  if (view.All().Where("method", value).Size() == 0) mark("paper only");
  return heading;
}

Markup RenderNotes(const std::vector<std::string>& notes, const std::vector<std::string>& remarks) {
  Markup all;
  for (const std::string& remark : remarks) all += Markup::Element("p", {{"class", "remark"}}, remark);
  std::string joined;
  for (const std::string& note : notes) joined += fmt::format("{}{}", joined.empty() ? "" : " ", note);
  if (!joined.empty()) all += Markup::Element("p", {{"class", "note"}}, joined);
  return all;
}

Markup RenderTable(const ResultTable& table) {
  Markup body = RenderHead(table);
  for (const TableGroup& group : table.groups) body += RenderGroup(table, group);
  const Markup box =
      Markup::Element("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", table.title}},
                      Markup::Element("table", {}, body));
  return Markup::Element(
      "figure", {{"class", "table"}},
      Markup::Element("figcaption", {}, table.title) + box + RenderNotes(table.notes, table.remarks));
}

}  // namespace flaim
