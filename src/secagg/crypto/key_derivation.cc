#include "secagg/crypto/key_derivation.h"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <memory>
#include <vector>

#include "base/check.h"

namespace flaim::secagg {
namespace {

struct FreeContext {
  void operator()(EVP_KDF_CTX* context) const { EVP_KDF_CTX_free(context); }
};

// Looked up once: OpenSSL searches its providers by name.
EVP_KDF* Hkdf() {
  static EVP_KDF* const hkdf = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  CHECK(hkdf != nullptr, "this OpenSSL has no HKDF");
  return hkdf;
}

// OpenSSL's parameters point to bytes that may change, but these are only read.
OSSL_PARAM OctetParameter(const char* name, ByteView bytes) {
  return OSSL_PARAM_construct_octet_string(name, const_cast<std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

void DeriveKey(ByteView secret, ByteView salt, ByteView purpose, std::span<std::uint8_t> key) {
  CHECK(!secret.empty(), "a key derived from nothing");
  const std::unique_ptr<EVP_KDF_CTX, FreeContext> context(EVP_KDF_CTX_new(Hkdf()));
  CHECK(context != nullptr, "OpenSSL has no memory");
  char digest[] = "SHA256";
  std::vector<OSSL_PARAM> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OctetParameter(OSSL_KDF_PARAM_KEY, secret),
  };
  // OpenSSL refuses parameters without bytes; leaving them out means the same.
  if (!salt.empty()) parameters.push_back(OctetParameter(OSSL_KDF_PARAM_SALT, salt));
  if (!purpose.empty()) parameters.push_back(OctetParameter(OSSL_KDF_PARAM_INFO, purpose));
  parameters.push_back(OSSL_PARAM_construct_end());
  CHECK(EVP_KDF_derive(context.get(), key.data(), key.size(), parameters.data()) == 1, "HKDF refuses {} bytes",
        key.size());
}

Secret32 DeriveKey32(const Secret32& secret, ByteView salt, ByteView purpose) {
  Secret32 key;
  DeriveKey(secret.bytes(), salt, purpose, key.bytes());
  return key;
}

}  // namespace flaim::secagg
