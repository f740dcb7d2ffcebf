#pragma once

#include <map>
#include <string>
#include <vector>

namespace flaim {

// Which colour and marker belongs to which line, by the name of what it shows.
using LineStyles = std::map<std::string, int>;

// A name that comes in several plots of a page looks the same in all of them, as far as there are enough colours:
// `page_order` has all names of the page, `names` those that are drawn together, which never look the same.
LineStyles AssignStyles(const std::vector<std::string>& page_order, const std::vector<std::string>& names);

}  // namespace flaim
