#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/plan/run_plan.h"
#include "algorithms/spending/participation_check.h"
#include "data/schema/schema.h"
#include "marginal/workload.h"
#include "runtime/study/agreed_marginals.h"
#include "runtime/study/manifest.h"

namespace flaim::runtime {

// A manifest, checked and worked out: what coordinator and sites go by. Each works it out for itself.
struct Study {
  Manifest manifest;
  Digest digest{};  // of the signed text
  Schema schema;
  Workload workload;
  RunPlan plan;  // method, budget, what a client pays, who takes part
  AgreedMarginals marginals;

  const Domain& domain() const { return schema.domain(); }
  bool IsResearch() const { return manifest.research_seed.has_value(); }
  // What a site checks of each round, where its account alone would not do.
  std::optional<ParticipationCheck> RoundCheck() const;
};

// Refuses, with what to do: a signature that does not fit; what no site should consent to (a method that is not
// private, compute parties, local measurements between steps, exact accounting that a site could not check);
// a schema and a rule for unfit values under which a row could keep a site from its study, or count twice; bounds under
// which no secure sum can be made; and everything that contradicts itself.
absl::StatusOr<Study> OpenStudy(const SignedManifest& signed_manifest);

// FailedPrecondition unless this is the version of the software that the study was made with: others may work out
// other plans and terms.
absl::Status CheckSoftware(const Study& study, const std::string& software);

// In a few lines, for a data steward: what would be asked, what it may cost, who must be trusted with what.
std::string Explain(const Study& study);

}  // namespace flaim::runtime
