#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "flaim/model.h"
#include "flaim/result.h"

namespace flaim::api {

// What decides a fit. All of it is public: none of it may be chosen by looking at the rows.
struct FitRequest {
  std::string data;    // the private table: CSV, plain or compressed
  std::string schema;  // what its columns may hold: TOML or JSON
  double epsilon = 0;  // the promise: what this fit may cost
  double delta = 1e-6;
  // The account of the data, made with this budget if absent; `data` with ".ledger" if empty.
  std::string ledger;
  // `ledger` is another account than the one beside the data, on purpose: a second promise.
  bool is_separate_ledger = false;
  // Told, before anything is paid, each other ledger that many of the rows were charged to before, as this machine
  // knows it from a copy of them or a part: the same people get two promises whose costs add up. Nobody is told if
  // empty.
  std::function<void(const std::string& ledger)> on_other_ledger;
  // The marginals to preserve: "all:3", "all:3:10000", "random:64:3:1", or a JSON file; what suits the columns if
  // empty.
  std::string workload;
  // Repeatable noise, for research. NOT private; stamps the model.
  std::optional<std::uint64_t> research_seed;
  // All cores if not said.
  std::optional<int> threads;
};

// Learns a model of a private table with AIM; what `flaim fit` does.
//
// Everything that is released from the rows is paid for in the ledger first, and kept there under a name that follows
// from the request: the same request again gives the same model and pays nothing, also after a crash. Refused before
// anything is paid: what does not fit the schema, a budget that the ledger does not cover or that is too small, a
// second ledger for the same data, a ledger that belongs to one study, secure noise in a ledger that has seeded noise
// and the other way round, and other rows under a request that the ledger has on record.
Result<Model> Fit(const FitRequest& request);

}  // namespace flaim::api
