#include "runtime/messages/study_roster.h"

#include <algorithm>
#include <set>

#include "base/status.h"
#include "messages.pb.h"
#include "runtime/messages/digest_bytes.h"

namespace flaim::runtime {

std::string Encode(const StudyRoster& roster) {
  messages::Roster out;
  for (const std::string& site : roster.sites) out.add_sites(site);
  for (const secagg::VerifyingKey& key : roster.keys) out.add_verifying_keys(key.data(), key.size());
  for (const Digest& request : roster.requests) out.add_request_digests(BytesOf(request));
  return out.SerializeAsString();
}

absl::StatusOr<StudyRoster> DecodeRoster(const std::string& bytes) {
  messages::Roster in;
  if (!in.ParseFromString(bytes)) return InvalidArgument("the roster cannot be read");
  if (in.sites_size() == 0 || in.sites_size() != in.verifying_keys_size() ||
      in.sites_size() != in.request_digests_size()) {
    return InvalidArgument("the roster has {} names, {} keys and {} requests", in.sites_size(),
                           in.verifying_keys_size(), in.request_digests_size());
  }
  StudyRoster roster;
  std::set<std::string> names;
  for (int i = 0; i < in.sites_size(); ++i) {
    const std::string& key = in.verifying_keys(i);
    secagg::VerifyingKey read{};
    if (key.size() != read.size()) return InvalidArgument("the roster has a key of {} bytes", key.size());
    std::copy(key.begin(), key.end(), read.begin());
    if (!names.insert(in.sites(i)).second) return InvalidArgument("the roster names a site twice");
    roster.sites.push_back(in.sites(i));
    roster.keys.push_back(read);
    const std::optional<Digest> request = DigestFrom(in.request_digests(i));
    if (!request) return InvalidArgument("the roster has no digest of a request where there should be one");
    roster.requests.push_back(*request);
  }
  return roster;
}

Digest DigestOfRoster(const Digest& manifest, const std::string& roster) {
  return Transcript("flaim study roster").Add(manifest).Add(AsBytes(roster)).Finish();
}

}  // namespace flaim::runtime
