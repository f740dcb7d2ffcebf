#include "datasets/data_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace flaim {

std::string DataFolder(const std::string& data_dir_flag, const std::string& flaim_data_variable) {
  if (!data_dir_flag.empty()) return data_dir_flag;
  if (!flaim_data_variable.empty()) return flaim_data_variable;
  return "../shared/data";
}

bool IsPresent(const DatasetEntry& entry, const std::string& folder) {
  if (entry.IsGenerated()) return true;
  std::vector<std::string> files = {entry.file, entry.schema_file.path};
  if (entry.split) files.insert(files.end(), {entry.split->test.path, entry.split->workload.path});
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    std::error_code error;
    return std::filesystem::exists(std::filesystem::path(folder) / file, error);
  });
}

}  // namespace flaim
