#pragma once

#include <string>
#include <vector>

#include "experiments/report/markup.h"

namespace flaim {

struct PageSection {
  std::string anchor;  // its id; letters, digits and hyphens
  std::string title;
  std::string status;  // for the table of contents; may be empty
  Markup content;
};

struct HtmlPage {
  std::string title;
  std::string byline;
  std::vector<PageSection> sections;
};

// Letters, digits and hyphens made from any text; unique among those in `taken`, to which it is added.
std::string AnchorOf(const std::string& text, std::vector<std::string>& taken);

// A page that needs nothing from elsewhere: no script, no font, no picture. Light or dark as the reader prefers, and on
// paper light, with everything unfolded that fits.
std::string RenderPage(const HtmlPage& page);

}  // namespace flaim
