#include "experiments/report/markup.h"

#include "base/check.h"
#include "fmt/format.h"

namespace flaim {
namespace {

std::string OpeningOf(std::string_view tag, Markup::Attributes attributes) {
  std::string opening = fmt::format("<{}", tag);
  for (const auto& [name, value] : attributes) {
    if (!value.empty()) opening += fmt::format(" {}=\"{}\"", name, EscapeMarkup(value));
  }
  return opening;
}

}  // namespace

std::string EscapeMarkup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '&') {
      escaped += "&amp;";
    } else if (letter == '<') {
      escaped += "&lt;";
    } else if (letter == '>') {
      escaped += "&gt;";
    } else if (letter == '"') {
      escaped += "&quot;";
    } else if (letter == '\'') {
      escaped += "&#39;";
    } else if ((code < 0x20 && letter != '\n' && letter != '\t') || code == 0x7f) {
      escaped += "\xEF\xBF\xBD";  // the replacement character
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

Markup Markup::Text(std::string_view text) {
  Markup markup;
  markup.html_ = EscapeMarkup(text);
  return markup;
}

Markup Markup::Element(std::string_view tag, Attributes attributes, const Markup& content) {
  Markup markup;
  markup.html_ = fmt::format("{}>{}</{}>", OpeningOf(tag, attributes), content.html_, tag);
  return markup;
}

Markup Markup::Element(std::string_view tag, Attributes attributes, std::string_view text) {
  return Element(tag, attributes, Text(text));
}

Markup Markup::Empty(std::string_view tag, Attributes attributes) {
  Markup markup;
  markup.html_ = fmt::format("{}/>", OpeningOf(tag, attributes));
  return markup;
}

Markup Markup::Style(std::string_view sheet) {
  CHECK(sheet.find_first_of("<&") == std::string_view::npos, "a style sheet with markup in it");
  Markup markup;
  markup.html_ = fmt::format("<style>{}</style>", sheet);
  return markup;
}

Markup& Markup::operator+=(const Markup& other) {
  html_ += other.html_;
  return *this;
}

}  // namespace flaim
