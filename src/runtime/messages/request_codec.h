#pragma once

#include <memory>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "federation/requests.h"
#include "io/digest.h"

namespace flaim::runtime {

// What a group of sites is asked for, each answered by one secure sum.
using SumBody = std::variant<CountsRequest, ScoresRequest, LocalSelection, RandomSelection>;

struct SumRequest {
  int attempt = 1;
  bool is_initialisation = false;
  SumBody body;

  const ReleaseName& name() const;
};

// The same as bytes.
struct EncodedRequest {
  std::string request;
  std::string model;  // empty if the request compares rows with none

  // What the terms of a sum are about.
  Digest RequestDigest() const;
  Digest ModelDigest() const;
};

EncodedRequest Encode(const SumRequest& request);

// A request as a site has it, with the model that it came with, if any: the one that the request's view is of.
struct ReceivedRequest {
  std::unique_ptr<const Model> model;
  SumRequest request;
};

// Limits of what a site takes in.
struct RequestLimits {
  std::int64_t max_model_cells = std::int64_t{1} << 28;
  std::int64_t max_entries = std::int64_t{1} << 26;  // of all marginals together
};

// InvalidArgument for anything that makes no sense over this domain: attributes that are not there, cliques or
// candidates that repeat, fractions that are none, sizes beyond the limits, a model that is missing or too much.
absl::StatusOr<ReceivedRequest> Decode(const EncodedRequest& encoded, const Domain& domain, const RequestLimits& limits,
                                       Parallel& parallel);

// The request alone, for who only wants to know what was asked.
absl::StatusOr<SumRequest> DecodeWithoutModel(const std::string& request, const Domain& domain,
                                              const RequestLimits& limits);

// How many numbers each part of the answer has: cells of the marginals, or one for each candidate.
std::vector<std::uint32_t> EntriesOf(const SumBody& body, const Domain& domain);

}  // namespace flaim::runtime
