#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace flaim {

// HTML or SVG that is well-formed whatever the texts in it are: elements close what they open, texts and attributes are
// escaped. What is put together here can be read as XML too.
class Markup {
 public:
  struct Attribute {
    std::string_view name;
    std::string value;  // an attribute without a value is left out
  };
  using Attributes = std::initializer_list<Attribute>;

  Markup() = default;
  static Markup Text(std::string_view text);
  static Markup Element(std::string_view tag, Attributes attributes, const Markup& content);
  static Markup Element(std::string_view tag, Attributes attributes, std::string_view text);
  // Without content: <tag/>.
  static Markup Empty(std::string_view tag, Attributes attributes);
  // A style sheet of ours. REQUIRES: it has no '<' and no '&'.
  static Markup Style(std::string_view sheet);

  Markup& operator+=(const Markup& other);
  friend Markup operator+(Markup left, const Markup& right) { return left += right; }

  bool IsEmpty() const { return html_.empty(); }
  const std::string& Html() const { return html_; }

 private:
  std::string html_;
};

// With &, <, >, quotes and control characters made harmless.
std::string EscapeMarkup(std::string_view text);

}  // namespace flaim
