#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "runtime/identity/tls_identity.h"

namespace flaim::runtime {

// The certificates of a text that holds several, one after the other, as handshakes have them.
std::vector<std::string> SplitChain(std::string_view pem);

// The certificates that this end shows: its own, and the authority's, by which a site that knows only the authority's
// fingerprint recognises it.
std::string ChainOf(const TlsIdentity& identity);

// InvalidArgument, with what is wrong, unless all three parts can be read and the key is that of the certificate.
absl::Status CheckIdentity(const TlsIdentity& identity);

}  // namespace flaim::runtime
