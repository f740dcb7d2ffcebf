#pragma once

#include <string>

namespace flaim {

inline constexpr const char* kDataDirHelp =
    "Folder that holds the datasets [$FLAIM_DATA, or ../shared/data if that is not set]";

// The folder for what --data-dir says, which may be nothing (datasets/data_folder.h). The one place where the program
// looks at the environment variable FLAIM_DATA.
std::string DataFolderOf(const std::string& data_dir_flag);

}  // namespace flaim
