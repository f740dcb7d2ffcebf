#pragma once

#include <string>

#include "datasets/catalogue.h"

namespace flaim {

// Where the datasets are looked for: the folder that --data-dir names, else the one that $FLAIM_DATA names, else
// ../shared/data from the working directory. An empty text counts as not given. Whoever calls reads the environment.
std::string DataFolder(const std::string& data_dir_flag, const std::string& flaim_data_variable);

// Whether all files of a dataset are there; nothing is said about their bytes. A generated one is always there.
bool IsPresent(const DatasetEntry& entry, const std::string& folder);

}  // namespace flaim
