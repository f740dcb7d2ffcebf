#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <memory>

namespace flaim::runtime {

// OpenSSL's objects, each freed once. It wipes private keys and the buffers of memory streams as it frees them.
template <auto kFree>
struct FreeWith {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};

using BigNumberHandle = std::unique_ptr<BIGNUM, FreeWith<&BN_free>>;
using CertificateHandle = std::unique_ptr<X509, FreeWith<&X509_free>>;
using ExtensionHandle = std::unique_ptr<X509_EXTENSION, FreeWith<&X509_EXTENSION_free>>;
using GeneralNamesHandle = std::unique_ptr<GENERAL_NAMES, FreeWith<&GENERAL_NAMES_free>>;
using KeyHandle = std::unique_ptr<EVP_PKEY, FreeWith<&EVP_PKEY_free>>;
using RequestHandle = std::unique_ptr<X509_REQ, FreeWith<&X509_REQ_free>>;
using StoreHandle = std::unique_ptr<X509_STORE, FreeWith<&X509_STORE_free>>;
using StoreContextHandle = std::unique_ptr<X509_STORE_CTX, FreeWith<&X509_STORE_CTX_free>>;
using StreamHandle = std::unique_ptr<BIO, FreeWith<&BIO_free>>;

// OpenSSL queues its errors for each thread, and the TLS of the same thread reads that queue: whatever is added during
// the life of this object is forgotten again.
class ErrorQueueMark {
 public:
  ErrorQueueMark() { ERR_set_mark(); }
  ~ErrorQueueMark() { ERR_pop_to_mark(); }
  ErrorQueueMark(const ErrorQueueMark&) = delete;
  ErrorQueueMark& operator=(const ErrorQueueMark&) = delete;
};

}  // namespace flaim::runtime
