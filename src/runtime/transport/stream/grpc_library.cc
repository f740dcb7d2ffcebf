#include "runtime/transport/stream/grpc_library.h"

#include <cstdio>
#include <string_view>

#include "grpc/support/log.h"

namespace flaim::runtime {

void SilenceGrpc() {
  gpr_set_log_function([](gpr_log_func_args* line) {
    const std::string_view message = line->message;
    if (!message.starts_with("assertion failed")) return;
    std::fprintf(stderr, "%s:%d: %s\n", line->file, line->line, line->message);
  });
}

}  // namespace flaim::runtime

// The system's gRPC is not built for the thread sanitizer, which therefore does not see how it hands objects from one
// of its threads to another, and takes that for races. What gRPC's own code and headers touch is left out of the hunt.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() { return "ignore_noninstrumented_modules=1"; }
extern "C" const char* __tsan_default_suppressions() {
  return "race:^grpc::\n"
         "race:^grpc_core::\n"
         "race:libgrpc\n"
         "race:libabsl\n"
         "race:^google::protobuf::\n";
}
#endif
