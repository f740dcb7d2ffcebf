#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/progress.h"
#include "datasets/prepared_dataset.h"
#include "marginal/workload.h"

namespace flaim {

// What the column of clients is called in files.
inline constexpr const char* kClientColumn = "client_id";

// Writes a prepared dataset as files that the commands read, into a folder that is made if it is not there:
//   train.csv      the training rows, with a column of clients where the dataset has clients
//   test.csv       the rows held out
//   schema.toml    the public schema; reading the rows with it gives the same codes
//   workload.json  the marginals
// Rows have the texts that the schema knows. A number that was binned is one of its bin, drawn with the seed, and not
// the original. Files of these names are replaced, each once it is complete.
absl::Status WritePreparedDataset(const PreparedDataset& dataset, const Workload& workload, const std::string& folder,
                                  std::uint64_t seed, ProgressSink& progress);

}  // namespace flaim
