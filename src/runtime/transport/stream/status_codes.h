#pragma once

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace flaim::runtime {

// The two kinds of status, whose codes have the same numbers.
grpc::Status ToGrpc(const absl::Status& status);

// What a peer says is shown to people: control characters are replaced, and a long text is cut.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace flaim::runtime
