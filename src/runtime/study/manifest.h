#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/plan/run_plan.h"
#include "data/schema/unfit_rule.h"
#include "io/digest.h"
#include "secagg/crypto/signature.h"
#include "secagg/graph/group_bounds.h"

namespace flaim::runtime {

// What a study is: everything public that decides what a site is asked for and what it pays. Fixed when the study is
// made, signed by the coordinator, consented to by each site's data steward.
struct Manifest {
  std::string study;  // its name, for people
  std::string id;     // random, 32 hexadecimal digits: names the study's releases in ledgers
  std::string software;
  std::int64_t created_unix_s = 0;
  std::string schema;    // TOML
  std::string workload;  // all:K[:CELLS], random:COUNT:K:SEED[:CELLS], or the JSON of a workload file
  double epsilon = 0;
  double delta = 0;
  RunRequest request;  // the method, and who takes part when
  std::int64_t max_model_cells = 0;
  int minimum_sites = 2;  // in every sum
  secagg::GroupBounds bounds;
  std::int64_t max_rows_per_site = 0;               // public; a site's counts are clamped to it
  std::optional<std::uint64_t> research_seed = {};  // noise from a seed: NOT private
  UnfitRule unfit = UnfitRule::kDrop;               // the same at every site, whatever its rows
  secagg::VerifyingKey server{};                    // of who signs the study's sums
};

// JSON, for people and programs. What is not UTF-8 is replaced.
std::string ToText(const Manifest& manifest);
// InvalidArgument for a field that is missing, unknown or not of its kind, and for a choice of the method that is out
// of its bounds.
absl::StatusOr<Manifest> ParseManifest(const std::string& text);

// The text is what was signed and what is compared: a site refuses any other.
struct SignedManifest {
  std::string text;
  secagg::Signature signature{};

  Digest digest() const;
};

SignedManifest Sign(const Manifest& manifest, const secagg::SigningKey& key);
// Unauthenticated unless it is signed by the key that it names as its server's.
absl::StatusOr<Manifest> Open(const SignedManifest& signed_manifest);

}  // namespace flaim::runtime
