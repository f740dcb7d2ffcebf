#include "runtime/identity/pem.h"

#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/status.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kMaxPemBytes = std::size_t{1} << 16;

// SubjectPublicKeyInfo of an uncompressed point on the named curve P-256: this, then 64 bytes of coordinates.
constexpr std::array<std::uint8_t, 27> kP256Prefix = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                                      0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                                      0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
constexpr std::size_t kP256Bytes = kP256Prefix.size() + 64;

// Without it, OpenSSL asks on the terminal.
int RefusePassPhrase(char* /*buffer*/, int /*size*/, int /*is_for_writing*/, void* /*data*/) { return -1; }

absl::StatusOr<StreamHandle> StreamOf(const std::string& text) {
  if (text.size() > kMaxPemBytes) {
    return InvalidArgument("a PEM text of {} bytes is longer than any key or certificate", text.size());
  }
  StreamHandle stream(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  if (stream == nullptr) return OpenSslFailure();
  return stream;
}

absl::StatusOr<std::string> Collected(BIO& stream, int is_written) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(&stream, &bytes);
  if (is_written != 1 || size <= 0) return OpenSslFailure();
  return std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace

absl::Status OpenSslFailure() {
  return absl::InternalError(
      "OpenSSL could not do its part: check that this machine has free memory and a working OpenSSL 3");
}

absl::StatusOr<CertificateHandle> CertificateFromPem(const std::string& text) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const StreamHandle stream, StreamOf(text));
  CertificateHandle certificate(PEM_read_bio_X509(stream.get(), nullptr, RefusePassPhrase, nullptr));
  if (certificate == nullptr) {
    return InvalidArgument("this is not a certificate in PEM: check that the file is whole and the right one");
  }
  return certificate;
}

absl::StatusOr<KeyHandle> PrivateKeyFromPem(const std::string& text) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const StreamHandle stream, StreamOf(text));
  KeyHandle key(PEM_read_bio_PrivateKey(stream.get(), nullptr, RefusePassPhrase, nullptr));
  if (key == nullptr) {
    return InvalidArgument(
        "this is not a private key in PEM, or it is protected by a pass phrase: check that the file is whole and the "
        "right one");
  }
  RETURN_IF_ERROR(FingerprintOfKey(*key).status());
  return key;
}

absl::StatusOr<RequestHandle> RequestFromPem(const std::string& text) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const StreamHandle stream, StreamOf(text));
  RequestHandle request(PEM_read_bio_X509_REQ(stream.get(), nullptr, RefusePassPhrase, nullptr));
  if (request == nullptr) return InvalidArgument("this is not a request for a certificate in PEM: make it again");
  EVP_PKEY* key = X509_REQ_get0_pubkey(request.get());
  if (key == nullptr) return InvalidArgument("the request for a certificate has no usable key: make it again");
  RETURN_IF_ERROR(FingerprintOfKey(*key).status());
  if (X509_REQ_verify(request.get(), key) != 1) {
    return InvalidArgument("the request for a certificate is not signed by its own key: make it again");
  }
  return request;
}

absl::StatusOr<std::string> ToPem(X509& certificate) {
  const StreamHandle stream(BIO_new(BIO_s_mem()));
  if (stream == nullptr) return OpenSslFailure();
  return Collected(*stream, PEM_write_bio_X509(stream.get(), &certificate));
}

absl::StatusOr<std::string> ToPem(X509_REQ& request) {
  const StreamHandle stream(BIO_new(BIO_s_mem()));
  if (stream == nullptr) return OpenSslFailure();
  return Collected(*stream, PEM_write_bio_X509_REQ(stream.get(), &request));
}

absl::StatusOr<std::string> PrivateKeyToPem(EVP_PKEY& key) {
  const StreamHandle stream(BIO_new(BIO_s_secmem()));
  if (stream == nullptr) return OpenSslFailure();
  return Collected(*stream, PEM_write_bio_PKCS8PrivateKey(stream.get(), &key, /*enc=*/nullptr, /*kstr=*/nullptr,
                                                          /*klen=*/0, RefusePassPhrase, /*u=*/nullptr));
}

absl::StatusOr<Digest> FingerprintOfKey(EVP_PKEY& key) {
  const ErrorQueueMark mark;
  std::array<std::uint8_t, kP256Bytes> bytes{};
  std::uint8_t* end = bytes.data();
  if (i2d_PUBKEY(&key, nullptr) != static_cast<int>(bytes.size()) ||
      i2d_PUBKEY(&key, &end) != static_cast<int>(bytes.size()) ||
      !std::equal(kP256Prefix.begin(), kP256Prefix.end(), bytes.begin())) {
    return InvalidArgument("the key is not on the curve P-256: make one with this program");
  }
  return Sha256(bytes);
}

}  // namespace flaim::runtime
