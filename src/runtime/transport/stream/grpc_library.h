#pragma once

namespace flaim::runtime {

// gRPC's own lines on the terminal say nothing that a Status does not, and strangers can cause them. Only those about
// bugs, before it aborts, are kept. May be called often.
void SilenceGrpc();

}  // namespace flaim::runtime
