#pragma once

#include <string_view>

namespace flaim::runtime {

// The files of the folder `page`, put into the library when it is built: the program needs no files beside it.
extern const std::string_view kPageIndex;   // index.html
extern const std::string_view kPageStyle;   // style.css
extern const std::string_view kPageScript;  // page.js
extern const std::string_view kPageIcon;    // icon.svg

}  // namespace flaim::runtime
