#include "cli/reports/audit_report.h"

#include <algorithm>
#include <iterator>

#include "experiments/report/html_page.h"
#include "experiments/report/markup.h"
#include "experiments/report/number_text.h"
#include "fmt/format.h"

namespace flaim {
namespace {

constexpr double kLeft = 52;
constexpr double kTop = 10;
constexpr double kSide = 300;
constexpr double kBottom = 44;
constexpr double kLegendLine = 17;
constexpr int kCurvePoints = 200;

std::string At(double x, double y) { return fmt::format("{:.1f},{:.1f}", kLeft + kSide * x, kTop + kSide * (1 - y)); }

// The polyline of error rates.
std::string PointsOf(const std::vector<ErrorRates>& rates) {
  std::string points;
  for (const ErrorRates& rate : rates) points += At(rate.false_positive, rate.false_negative) + " ";
  return points;
}

std::vector<ErrorRates> Claimed(const TradeOff& curve) {
  std::vector<ErrorRates> rates;
  for (int i = 0; i <= kCurvePoints; ++i) {
    // Close together where few false positives are, because there the curve is steep.
    const double share = static_cast<double>(i) / kCurvePoints;
    const double false_positive = share * share;
    rates.push_back({false_positive, curve.LeastFalseNegative(false_positive)});
  }
  return rates;
}

// One of the three pairs of rates of each test, from few false positives to many.
std::vector<ErrorRates> RatesOf(const AuditResult& result, ErrorRates ThresholdTest::*which) {
  std::vector<ErrorRates> rates;
  for (const ThresholdTest& test : result.tests) rates.push_back(test.*which);
  std::sort(rates.begin(), rates.end(), [](const ErrorRates& one, const ErrorRates& other) {
    return std::pair(one.false_positive, -one.false_negative) < std::pair(other.false_positive, -other.false_negative);
  });
  return rates;
}

Markup Label(double x, double y, std::string_view style, const std::string& text) {
  return Markup::Element(
      "text", {{"x", fmt::format("{:.1f}", x)}, {"y", fmt::format("{:.1f}", y)}, {"class", std::string(style)}}, text);
}

Markup Frame() {
  Markup frame;
  for (int i = 0; i <= 4; ++i) {
    const double value = i / 4.0;
    const double x = kLeft + kSide * value;
    const double y = kTop + kSide * (1 - value);
    const auto line = [](double x1, double y1, double x2, double y2) {
      return Markup::Empty("path",
                           {{"d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x1, y1, x2, y2)}, {"class", "grid"}});
    };
    frame += line(x, kTop, x, kTop + kSide) + line(kLeft, y, kLeft + kSide, y);
    frame += Label(x, kTop + kSide + 15, "tick middle", fmt::format("{:g}", value));
    frame += Label(kLeft - 6, y + 4, "tick end", fmt::format("{:g}", value));
  }
  frame += Label(kLeft + kSide / 2, kTop + kSide + 36, "title middle", "false positives");
  frame += Markup::Element(
      "text",
      {{"transform", fmt::format("translate(13 {:.1f}) rotate(-90)", kTop + kSide / 2)}, {"class", "title middle"}},
      "false negatives");
  return frame;
}

Markup Polyline(const std::vector<ErrorRates>& rates, const std::string& style, std::string_view kind) {
  return Markup::Element("g", {{"class", style}},
                         Markup::Empty("polyline", {{"points", PointsOf(rates)}, {"class", std::string(kind)}}));
}

// Where the true rates may be: between the ends of the intervals.
Markup Band(const AuditResult& result) {
  std::vector<ErrorRates> outline = RatesOf(result, &ThresholdTest::least);
  std::vector<ErrorRates> upper = RatesOf(result, &ThresholdTest::most);
  outline.insert(outline.end(), upper.rbegin(), upper.rend());
  return Markup::Element("g", {{"class", "s1"}},
                         Markup::Empty("polygon", {{"points", PointsOf(outline)}, {"class", "band"}}));
}

Markup Markers(const std::vector<ErrorRates>& rates) {
  Markup markers;
  for (const ErrorRates& rate : rates) {
    markers += Markup::Empty("circle", {{"cx", fmt::format("{:.1f}", kLeft + kSide * rate.false_positive)},
                                        {"cy", fmt::format("{:.1f}", kTop + kSide * (1 - rate.false_negative))},
                                        {"r", "2"},
                                        {"class", "marker"}});
  }
  return Markup::Element("g", {{"class", "s1"}}, markers);
}

Markup LegendLine(int line, const std::string& style, const Markup& sample, const std::string& text) {
  const double y = kTop + 16 + kLegendLine * line;
  return Markup::Element(
             "g", {{"class", style}, {"transform", fmt::format("translate({:.1f} {:.1f})", kLeft + 148, y)}}, sample) +
         Label(kLeft + 176, y + 4, "", text);
}

Markup Legend() {
  const Markup stroke = Markup::Empty("path", {{"d", "M0 0H22"}, {"class", "line"}});
  return LegendLine(0, "s0", stroke, "claimed") +
         LegendLine(1, "s1",
                    stroke + Markup::Empty("circle", {{"cx", "11"}, {"cy", "0"}, {"r", "2"}, {"class", "marker"}}),
                    "reached") +
         LegendLine(2, "s1", Markup::Empty("path", {{"d", "M0 -5H22V5H0Z"}, {"class", "band"}}), "its limits at 1e-6") +
         LegendLine(3, "s6 dashed", stroke, "guessing");
}

Markup Picture(const AuditResult& result) {
  const std::vector<ErrorRates> reached = RatesOf(result, &ThresholdTest::counted);
  Markup content = Markup::Element("title", {}, fmt::format("Trade-off curve of {}, {}", result.method, result.canary));
  content += Frame() + Polyline({{0, 1}, {1, 0}}, "s6 dashed", "line") + Band(result);
  content += Polyline(reached, "s1", "line") + Markers(reached);
  content += Polyline(Claimed(result.claim.curve), "s0", "line") + Legend();
  return Markup::Element(
      "svg",
      {{"viewBox", fmt::format("0 0 {:.0f} {:.0f}", kLeft + kSide + 14, kTop + kSide + kBottom)}, {"role", "img"}},
      content);
}

std::string VerdictOf(const AuditResult& result) {
  if (result.Passed()) return "passed";
  return result.IsKept() ? "too few runs" : "FAILED";
}

constexpr const char* kNumbers[] = {"runs", "mu claimed", "reached", "share", "at 1e-6"};

std::vector<std::string> NumbersOf(const AuditResult& result) {
  std::vector<std::string> numbers = {fmt::format("{}", result.runs)};
  for (const double number : {result.mu_claimed, result.mu_reached, result.share(), result.mu_proven}) {
    numbers.push_back(fmt::format("{:.3f}", number));
  }
  return numbers;
}

// On a narrow screen only the beginning is seen: who looked for what, and what came of it.
Markup RowOf(const AuditResult& result) {
  Markup cells = Markup::Element("th", {{"scope", "row"}}, fmt::format("{}: {}", result.canary, result.attacker));
  cells += Markup::Element("td", {{"class", result.Passed() ? "" : "failed"}}, VerdictOf(result));
  for (const std::string& number : NumbersOf(result)) cells += Markup::Element("td", {}, number);
  return Markup::Element("tr", {}, cells);
}

Markup GroupOf(const std::string& method) {
  return Markup::Element(
      "tr", {{"class", "group"}},
      Markup::Element("th", {{"colspan", fmt::format("{}", 2 + std::size(kNumbers))}, {"scope", "colgroup"}},
                      Markup::Element("span", {}, method)));
}

Markup TableOf(const std::vector<AuditResult>& results) {
  Markup titles = Markup::Element("th", {}, "canary: attacker") + Markup::Element("th", {{"class", "c"}}, "verdict");
  for (const char* number : kNumbers) titles += Markup::Element("th", {{"class", "c"}}, number);
  Markup rows;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == 0 || results[i].method != results[i - 1].method) rows += GroupOf(results[i].method);
    rows += RowOf(results[i]);
  }
  return Markup::Element("div", {{"class", "scroll"}, {"tabindex", "0"}},
                         Markup::Element("table", {},
                                         Markup::Element("thead", {}, Markup::Element("tr", {}, titles)) +
                                             Markup::Element("tbody", {}, rows)));
}

Markup Panel(const AuditResult& result) {
  Markup checks;
  for (const AuditCheck& check : result.checks) {
    checks += Markup::Element("li", {{"class", check.holds ? "" : "failed"}},
                              fmt::format("{} {}: {}", check.holds ? "✓" : "✗", check.name, check.found));
  }
  return Markup::Element(
      "figure", {{"class", "panel"}},
      Markup::Element("figcaption", {}, fmt::format("{}: an attacker who {}", result.canary, result.attacker)) +
          Picture(result) +
          Markup::Element("details", {{"open", result.Passed() ? "" : "open"}},
                          Markup::Element("summary", {}, result.Passed() ? "all checks hold" : VerdictOf(result)) +
                              Markup::Element("ul", {{"class", "note"}}, checks)));
}

std::string StatusOf(const std::vector<AuditResult>& results) {
  const auto count = [&](const auto& is_so) { return std::count_if(results.begin(), results.end(), is_so); };
  const auto failed = count([](const AuditResult& one) { return !one.IsKept(); });
  const auto weak = count([](const AuditResult& one) { return one.IsKept() && !one.Passed(); });
  const std::string of = CountText(static_cast<int>(results.size()), "audit");
  if (failed > 0) return fmt::format("{} of {} FAILED", failed, of);
  if (weak > 0) return fmt::format("{}, no claim broken; {} with too few runs to come near one", of, weak);
  return of + ", no claim broken";
}

Markup Introduction(const AuditPage& page) {
  return Markup::Element(
      "p", {},
      fmt::format("Each method was run many times with one record and without it, at epsilon {:g} and delta {:g}. An "
                  "attacker who knows all other rows says which it was. The claim rules out all error rates below its "
                  "curve. Noise came from a seed, and tables are made up: nothing here is about real data.",
                  page.epsilon, page.delta));
}

}  // namespace

std::vector<std::string> AuditTitles() {
  std::vector<std::string> titles = {"method", "canary", "attacker"};
  titles.insert(titles.end(), std::begin(kNumbers), std::end(kNumbers));
  titles.emplace_back("verdict");
  return titles;
}

std::vector<std::string> AuditRow(const AuditResult& result) {
  std::vector<std::string> row = {result.method, result.canary, result.attacker};
  const std::vector<std::string> numbers = NumbersOf(result);
  row.insert(row.end(), numbers.begin(), numbers.end());
  row.push_back(VerdictOf(result));
  return row;
}

nlohmann::json ToJson(const AuditResult& result) {
  nlohmann::json json = {{"method", result.method},
                         {"canary", result.canary},
                         {"attacker", result.attacker},
                         {"runs", result.runs},
                         {"rho_claimed", result.claim.rho.ToDouble()},
                         {"divergence", result.kl},
                         {"mu_claimed", result.mu_claimed},
                         {"mu_reached", result.mu_reached},
                         {"share", result.share()},
                         {"mu_at_1e-6", result.mu_proven},
                         {"passed", result.Passed()},
                         {"kept", result.IsKept()}};
  for (const AuditCheck& check : result.checks) {
    json["checks"].push_back({{"name", check.name}, {"holds", check.holds}, {"found", check.found}});
  }
  for (const ThresholdTest& test : result.tests) {
    json["trade_off"].push_back(
        {{"false_positives", test.counted.false_positive},
         {"false_negatives", test.counted.false_negative},
         {"least_allowed", result.claim.curve.LeastFalseNegative(test.counted.false_positive)}});
  }
  return json;
}

std::string RenderAudit(const AuditPage& page) {
  std::vector<std::string> anchors;
  HtmlPage html{.title = "Audit of the privacy claims", .byline = StatusOf(page.results), .sections = {}};
  html.sections.push_back(
      {AnchorOf("found", anchors), "What was found", "", Introduction(page) + TableOf(page.results)});
  for (std::size_t begin = 0; begin < page.results.size();) {
    std::size_t end = begin;
    Markup panels;
    for (; end < page.results.size() && page.results[end].method == page.results[begin].method; ++end) {
      panels += Panel(page.results[end]);
    }
    const std::string& method = page.results[begin].method;
    const std::vector<AuditResult> own(page.results.begin() + static_cast<std::ptrdiff_t>(begin),
                                       page.results.begin() + static_cast<std::ptrdiff_t>(end));
    html.sections.push_back(
        {AnchorOf(method, anchors), method, StatusOf(own), Markup::Element("div", {{"class", "panels"}}, panels)});
    begin = end;
  }
  return RenderPage(html);
}

}  // namespace flaim
