#include "experiments/report/html_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "fmt/format.h"

namespace flaim {
namespace {

// Colours of lines are Okabe and Ito's, which the colour-blind tell apart, made darker for white and lighter for black.
constexpr std::string_view kStyleSheet = R"(
:root{color-scheme:light dark;--ink:#1b1d21;--soft:#5a616b;--faint:#d9dde3;--paper:#fff;--box:#f5f6f8;--accent:#0b5cad;
--ours:#fff4d6;--oursink:#7a4b00;--bad:#a62b1f;
--c0:#0069a8;--c1:#c44e00;--c2:#00795a;--c3:#a3437e;--c4:#8f6400;--c5:#2788c4;--c6:#1b1d21;--c7:#6b6f1d}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a5adb8;--faint:#3a4048;--paper:#15181c;--box:#1e2227;
--accent:#7db8f0;--ours:#3a2f12;--oursink:#f3cc78;--bad:#ff9385;
--c0:#58aee8;--c1:#ff9457;--c2:#36cfa3;--c3:#eb9fcc;--c4:#f2bd4a;--c5:#9bd8fa;--c6:#f1f3f5;--c7:#c3c77d}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--faint:#ccc;--paper:#fff;--box:#fff;--accent:#0b5cad;
--ours:#fff4d6;--oursink:#7a4b00;--bad:#a62b1f;
--c0:#0069a8;--c1:#c44e00;--c2:#00795a;--c3:#a3437e;--c4:#8f6400;--c5:#2788c4;--c6:#000;--c7:#6b6f1d}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans","DejaVu Sans",sans-serif}
header,nav,main,footer{max-width:75rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .3rem}
h2{font-size:1.4rem;line-height:1.25;margin:3.5rem 0 .4rem;padding-top:1rem;border-top:2px solid var(--faint)}
h4{font-size:.95rem;margin:0 0 .25rem}
p{margin:.4rem 0;max-width:52rem}
a{color:var(--accent)}
.byline,.status,.note,nav .status{color:var(--soft);font-size:.875rem}
.status.bad,.failed{color:var(--bad)}
nav ol{padding-left:1.4rem;columns:2 24rem;column-gap:2.5rem}
nav li{break-inside:avoid;margin:.2rem 0}
nav .status{display:block}
figure{margin:1.6rem 0}
figcaption{font-weight:600;margin-bottom:.4rem}
.scroll{overflow-x:auto;border:1px solid var(--faint);border-radius:6px}
.scroll:focus-visible{outline:2px solid var(--accent)}
table{border-collapse:separate;border-spacing:0;font-size:.875rem;line-height:1.35;font-variant-numeric:tabular-nums;
min-width:100%}
th,td{padding:.4rem .7rem;text-align:right;vertical-align:top;white-space:nowrap;border-top:1px solid var(--faint)}
thead th{border-top:0;background:var(--box);vertical-align:bottom}
th[scope=row],thead th:not(.c){text-align:left}
th[scope=row]{font-weight:500;max-width:17rem;white-space:normal;min-width:8.5rem}
tr>th[scope=row]:first-child,thead th:first-child{position:sticky;left:0;background:var(--paper);z-index:1}
thead th:first-child{background:var(--box)}
tr.group th{text-align:left;background:var(--box);font-weight:600}
tr.group th span{position:sticky;left:.7rem}
tr.ours td,tr.ours>th[scope=row]:first-child,tr.ours>th[scope=row]{background:var(--ours)}
td .e{color:var(--soft)}
td .n,td .p{display:block;font-size:.89em;color:var(--soft)}
td .p{color:var(--accent)}
td .d{color:var(--soft)}
td .absent,p.absent{color:var(--bad);font-size:.92em}
.mark{font-size:.7rem;font-weight:600;border:1px solid currentColor;border-radius:3px;padding:0 .3em;color:var(--soft);
white-space:nowrap}
.mark.ours{color:var(--oursink)}
.remark{font-size:.82rem;border-left:3px solid var(--c1);padding-left:.6rem;max-width:52rem}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,27rem),1fr));gap:1.4rem 1.6rem}
.panel{min-width:0;break-inside:avoid}
.panel:only-child{max-width:44rem}
details{margin:.6rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.875rem}
dt{font-weight:600;margin-top:.7rem}
dd{margin:0;max-width:52rem}
code{font-size:.85em;color:var(--soft)}
footer{color:var(--soft);font-size:.82rem;padding-top:3rem;padding-bottom:2rem}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--ink);font-size:11px}
svg .tick{fill:var(--soft);font-variant-numeric:tabular-nums}
svg .title{fill:var(--soft)}
svg .end{text-anchor:end}
svg .middle{text-anchor:middle}
svg .grid{stroke:var(--faint);stroke-width:.7}
svg .axis{stroke:var(--soft);stroke-width:1}
svg .line{fill:none;stroke:currentColor;stroke-width:1.7;stroke-linejoin:round}
svg .dashed .line{stroke-dasharray:5 3.5}
svg .bar{stroke:currentColor;stroke-width:1;opacity:.65}
svg .band{fill:currentColor;opacity:.1}
svg .leader{stroke:currentColor;stroke-width:.7;opacity:.55}
svg .marker{fill:currentColor;stroke:var(--paper);stroke-width:.6}
svg .dashed .marker{fill:var(--paper);stroke:currentColor;stroke-width:1.3}
svg .paper{fill:none;stroke:currentColor;stroke-width:1.2}
.s0{color:var(--c0)}.s1{color:var(--c1)}.s2{color:var(--c2)}.s3{color:var(--c3)}
.s4{color:var(--c4)}.s5{color:var(--c5)}.s6{color:var(--c6)}.s7{color:var(--c7)}
@media print{@page{margin:12mm}html{font-size:9.5pt}body{font-size:1rem}header,nav,main,footer{max-width:none;padding:0}
h2{break-before:page;border-top:0;margin-top:0}h2,figcaption,h4{break-after:avoid}tr{break-inside:avoid}
.scroll{overflow:visible;border:0}table{font-size:7.5pt;min-width:0}th,td{padding:.2rem .35rem}
tr>th[scope=row]:first-child,thead th:first-child,tr.group th span{position:static}
th[scope=row]{min-width:5rem;max-width:9rem}.mark{font-size:6pt}
.panels{grid-template-columns:1fr 1fr;gap:.8rem}details:not([open]){display:none}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)";

Markup RenderContents(const HtmlPage& page) {
  Markup items;
  for (const PageSection& section : page.sections) {
    Markup item = Markup::Element("a", {{"href", fmt::format("#{}", section.anchor)}}, section.title);
    if (!section.status.empty()) item += Markup::Element("span", {{"class", "status"}}, section.status);
    items += Markup::Element("li", {}, item);
  }
  return Markup::Element("nav", {{"aria-label", "Contents"}}, Markup::Element("ol", {}, items));
}

Markup RenderHead(const HtmlPage& page) {
  return Markup::Element(
      "head", {},
      Markup::Empty("meta", {{"charset", "utf-8"}}) +
          Markup::Empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
          Markup::Element("title", {}, page.title) + Markup::Style(kStyleSheet));
}

}  // namespace

std::string AnchorOf(const std::string& text, std::vector<std::string>& taken) {
  std::string base;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    base += code < 0x80 && std::isalnum(code) != 0 ? static_cast<char>(std::tolower(code)) : '-';
  }
  if (base.empty() || std::isdigit(static_cast<unsigned char>(base.front())) != 0)
    base = fmt::format("section-{}", base);
  std::string anchor = base;
  for (int number = 2; std::find(taken.begin(), taken.end(), anchor) != taken.end(); ++number) {
    anchor = fmt::format("{}-{}", base, number);
  }
  taken.push_back(anchor);
  return anchor;
}

std::string RenderPage(const HtmlPage& page) {
  Markup sections;
  for (const PageSection& section : page.sections) {
    sections += Markup::Element("section", {{"id", section.anchor}},
                                Markup::Element("h2", {}, section.title) + section.content);
  }
  const Markup body =
      Markup::Element(
          "header", {},
          Markup::Element("h1", {}, page.title) + Markup::Element("p", {{"class", "byline"}}, page.byline)) +
      RenderContents(page) + Markup::Element("main", {}, sections) + Markup::Element("footer", {}, page.byline);
  return fmt::format(
      "<!DOCTYPE html>\n{}\n",
      Markup::Element("html", {{"lang", "en"}}, RenderHead(page) + Markup::Element("body", {}, body)).Html());
}

}  // namespace flaim
