#pragma once

#include <string>

#include "io/digest.h"

namespace flaim::runtime {

// What one end of a connection shows, and whom it believes. All PEM.
struct TlsIdentity {
  std::string certificate;  // its own
  std::string private_key;
  std::string authority;  // whose certificates are believed
};

}  // namespace flaim::runtime
