#include "cli/flags/data_folder_flag.h"

#include <cstdlib>

#include "datasets/data_folder.h"

namespace flaim {

std::string DataFolderOf(const std::string& data_dir_flag) {
  const char* variable = std::getenv("FLAIM_DATA");
  return DataFolder(data_dir_flag, variable == nullptr ? "" : variable);
}

}  // namespace flaim
