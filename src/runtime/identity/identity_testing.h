#pragma once

#include <openssl/pem.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "base/check.h"
#include "base/clock.h"
#include "base/secure_random_source.h"
#include "gtest/gtest.h"
#include "io/bytes.h"
#include "runtime/identity/application.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/openssl_handles.h"
#include "runtime/identity/pem.h"

// For tests only.

namespace flaim::runtime {

// A folder that no other test uses, gone when the test is over.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string path = fmt::format("{}flaim-identity-XXXXXX", testing::TempDir());
    CHECK(mkdtemp(path.data()) != nullptr, "no scratch folder");
    path_ = path;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline constexpr std::chrono::system_clock::time_point kNoon{std::chrono::seconds(1'763'294'400)};
inline constexpr std::chrono::hours kDay{24};
inline constexpr std::chrono::hours kYear{24 * 365};

// The keys of one site.
struct SiteKeys {
  std::string private_key;
  std::string signing_request;
  secagg::SigningKey signing_key;
};

inline SiteKeys MakeSiteKeys(RandomSource& random) {
  const std::string private_key = *MakePrivateKey();
  return {.private_key = private_key,
          .signing_request = *MakeSigningRequest(private_key, ""),
          .signing_key = secagg::SigningKey::Generate(random)};
}

inline Application ApplicationOf(const InviteCode& code, const SiteKeys& keys) {
  return MakeApplication(code, keys.signing_request, keys.signing_key);
}

// The bytes inside a PEM text, and back.
inline Bytes DerOf(const std::string& pem) {
  const StreamHandle stream(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  char* label = nullptr;
  char* header = nullptr;
  unsigned char* bytes = nullptr;
  long size = 0;
  CHECK(PEM_read_bio(stream.get(), &label, &header, &bytes, &size) == 1, "no PEM");
  Bytes der(bytes, bytes + size);
  OPENSSL_free(label);
  OPENSSL_free(header);
  OPENSSL_free(bytes);
  return der;
}

inline std::string PemOf(const char* label, const Bytes& der) {
  const StreamHandle stream(BIO_new(BIO_s_mem()));
  CHECK(PEM_write_bio(stream.get(), label, "", der.data(), static_cast<long>(der.size())) > 0, "no PEM");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(stream.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

// A request for any kind of key, which MakeSigningRequest would not make.
inline std::string RequestFor(EVP_PKEY& key, EVP_PKEY& signer) {
  const RequestHandle request(X509_REQ_new());
  CHECK(X509_REQ_set_pubkey(request.get(), &key) == 1 && X509_REQ_sign(request.get(), &signer, EVP_sha256()) > 0);
  return *ToPem(*request);
}

}  // namespace flaim::runtime
