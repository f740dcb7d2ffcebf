#include "runtime/transport/stream/status_codes.h"

#include <string>

namespace flaim::runtime {
namespace {

constexpr std::size_t kLongestText = 1000;
constexpr int kLastCode = static_cast<int>(absl::StatusCode::kUnauthenticated);

std::string ForPeople(std::string text) {
  if (text.size() > kLongestText) {
    text.resize(kLongestText);
    text += "...";
  }
  for (char& character : text) {
    if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f) character = ' ';
  }
  return text;
}

}  // namespace

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const int code = static_cast<int>(status.error_code());
  const bool is_known = code > 0 && code <= kLastCode;
  return {is_known ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kUnknown,
          ForPeople(status.error_message())};
}

}  // namespace flaim::runtime
