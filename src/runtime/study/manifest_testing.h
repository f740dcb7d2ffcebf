#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/study/study.h"

// For tests only: studies over a table of 3 x 2 x 4 cells.
namespace flaim::runtime {

inline std::string SchemaForTest() {
  return "[[column]]\nname = \"a\"\ntype = \"categorical\"\nvalues = [\"x\", \"y\", \"z\"]\n\n"
         "[[column]]\nname = \"b\"\ntype = \"categorical\"\nvalues = [\"x\", \"y\"]\n\n"
         "[[column]]\nname = \"c\"\ntype = \"categorical\"\nvalues = [\"w\", \"x\", \"y\", \"z\"]\n";
}

inline secagg::SigningKey KeyForTest(const std::string& owner) {
  const Digest digest = Sha256(AsBytes(owner));
  secagg::Secret32 seed;
  std::copy(digest.begin(), digest.end(), seed.bytes().begin());
  return secagg::SigningKey::FromSeed(seed);
}

inline MethodChanges PresetForTest(const std::string& name) { return MethodChanges(name); }

// To be signed by KeyForTest("coordinator"). A sum is of three sites or more, of which a third may drop out.
inline Manifest ManifestForTest(MethodChanges method) {
  Manifest manifest;
  manifest.study = "a test";
  manifest.id = std::string(32, 'a');
  manifest.software = "flaim test";
  manifest.created_unix_s = 1'700'000'000;
  manifest.schema = SchemaForTest();
  manifest.workload = "all:2";
  manifest.epsilon = 1;
  manifest.delta = 1e-6;
  manifest.request.method = std::move(method);
  manifest.request.availability = "all";
  manifest.max_model_cells = 1000;
  manifest.minimum_sites = 3;
  manifest.bounds = {.dropout_share = 0.34, .colluders = 0};
  manifest.max_rows_per_site = 1'000'000;
  manifest.server = KeyForTest("coordinator").verifying_key();
  return manifest;
}

inline absl::StatusOr<Study> StudyForTest(const Manifest& manifest) {
  return OpenStudy(Sign(manifest, KeyForTest("coordinator")));
}

}  // namespace flaim::runtime
