#include "runtime/study/study.h"

#include <algorithm>
#include <limits>

#include "algorithms/choices/method_words.h"
#include "base/status.h"
#include "data/schema/schema_file.h"
#include "io/hex.h"
#include "io/message_text.h"
#include "marginal/workload_spec.h"
#include "secagg/graph/committee.h"

namespace flaim::runtime {
namespace {

constexpr std::int64_t kMostRowsPerSite = std::int64_t{1} << 40;

absl::StatusOr<Workload> WorkloadOf(const Manifest& manifest, const Domain& domain) {
  if (manifest.workload.starts_with('[') || manifest.workload.starts_with('{')) {
    return Workload::FromJson(domain, manifest.workload, "the manifest's workload");
  }
  ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(manifest.workload));
  if (std::holds_alternative<WorkloadFileSpec>(spec)) {
    return InvalidArgument("the manifest's workload is a file's name: the file itself belongs there");
  }
  return MakeWorkload(domain, spec);
}

absl::Status Refuse(std::string_view why) {
  return absl::PermissionDeniedError(fmt::format("a federation over the network does not do that: {}", why));
}

// What nobody should be asked to consent to.
absl::Status CheckMethodIsForNetworks(const Method& method) {
  const std::vector<std::string> reasons = ReasonsNotPrivate(method);
  if (!reasons.empty()) return Refuse(fmt::format("{} is NOT private: {}", method.name, reasons.front()));
  const TrustModel trust = TrustOf(method);
  if (method.IsOneTable()) return Refuse(fmt::format("{} needs everybody's rows in one place", method.name));
  if (trust.compute_parties || method.membership == Membership::kPool) {
    return Refuse(fmt::format("{} needs parties that compute on secret shares; flaim-once does without", method.name));
  }
  if (method.stepping == LocalStepping::kMeasuring && method.local_steps > 1) {
    return Refuse("sites do not measure between their local steps; give local-stepping peel");
  }
  if (method.accounting == Accounting::kExact && !ParticipationCheck::Covers(method)) {
    return Refuse(
        "exact accounting holds for the very steps of the plan, and a site can check them only for flaim-once with a "
        "cap of 1; give accounting cap");
  }
  return absl::OkStatus();
}

absl::Status CheckBounds(const Manifest& manifest) {
  if (manifest.minimum_sites < 2) return InvalidArgument("a sum of {} sites hides nobody", manifest.minimum_sites);
  if (!(manifest.bounds.dropout_share >= 0 && manifest.bounds.dropout_share < 1) || manifest.bounds.colluders < 0) {
    return InvalidArgument("the bounds on dropouts and colluders make no sense");
  }
  if (manifest.max_rows_per_site < 1) return InvalidArgument("no site may have a row");
  if (manifest.max_rows_per_site > kMostRowsPerSite) {
    return InvalidArgument("{} rows of a site are more than a sum can hold", manifest.max_rows_per_site);
  }
  const secagg::ParticipantBounds least = manifest.bounds.Of(manifest.minimum_sites);
  const absl::Status graph = secagg::ChooseGraph(least).status();
  const absl::Status committee = secagg::ChooseCommittee(least).status();
  if (graph.ok() && committee.ok() && least.LeastSurvivors() - least.colluders >= 2) return absl::OkStatus();
  return InvalidArgument(
      "with {} sites, of which {} may drop out and {} may collude with the coordinator, a secure sum would not hide "
      "anybody: require more sites (minimum sites), or allow fewer dropouts or colluders",
      least.invited, least.dropouts, least.colluders);
}

// A file is split into columns by its own delimiter, or its header does not match: the schema's is a usual one, and no
// name may hold what separates columns anywhere. Else a schema could have a row split where a value happens to have
// that character, and count one record several times or stop at it.
absl::Status CheckNamesHoldNoDelimiter(const SchemaSpec& schema) {
  constexpr std::string_view kUsual = ",;|\t";
  constexpr std::string_view kUnusual = ":^~!\x01\x02\x1c\x1d\x1e\x1f";
  if (kUsual.find(schema.delimiter) == std::string_view::npos) {
    return Refuse("the delimiter of a study's files is a comma, a semicolon, a bar or a tab");
  }
  std::vector<std::string> names = schema.drop;
  for (const ColumnSpec& column : schema.columns) names.push_back(column.name);
  for (const std::string& name : names) {
    const bool is_split =
        name.find_first_of(kUsual) != std::string::npos || name.find_first_of(kUnusual) != std::string::npos;
    if (!is_split) continue;
    return Refuse(fmt::format("the column name {} holds a character that separates columns in many files; rename it",
                              QuoteForMessage(name)));
  }
  return absl::OkStatus();
}

// Whether a site comes to its study is seen by everybody, so no value may decide it.
absl::Status CheckRowsDecideNothing(const Schema& schema, UnfitRule unfit) {
  if (unfit == UnfitRule::kRefuse) {
    return Refuse(
        "a site that stops at a value that does not fit the schema tells that it has one; give unfit drop or other");
  }
  RETURN_IF_ERROR(CheckUnfitRule(schema, unfit));
  return CheckNamesHoldNoDelimiter(schema.spec());
}

std::string_view UnfitInWords(UnfitRule unfit) {
  return unfit == UnfitRule::kDrop ? "a row with a value that does not fit the schema is left out"
                                   : "a value that does not fit the schema counts as other or missing";
}

std::string RoundsInWords(const Study& study) {
  const int cap = study.plan.terms().participation_cap;
  if (cap == std::numeric_limits<int>::max()) return "the site serves whenever it is asked, and pays for all rounds";
  return fmt::format("the site serves in {} at most", cap);
}

}  // namespace

std::optional<ParticipationCheck> Study::RoundCheck() const {
  if (plan.method.accounting != Accounting::kExact) return std::nullopt;
  return ParticipationCheck(plan.spending, domain().size());
}

absl::StatusOr<Study> OpenStudy(const SignedManifest& signed_manifest) {
  ASSIGN_OR_RETURN(Manifest manifest, Open(signed_manifest));
  if (manifest.request.availability.starts_with("trace:"))
    return Refuse("sites come when they come, not as in a trace");
  ASSIGN_OR_RETURN(Schema schema, ParseSchema(manifest.schema, "the manifest's schema"));
  if (schema.spec().derived_from_private_rows) {
    return Refuse("the schema was made from private rows; write one from public knowledge");
  }
  RETURN_IF_ERROR(CheckRowsDecideNothing(schema, manifest.unfit));
  ASSIGN_OR_RETURN(Workload workload, WorkloadOf(manifest, schema.domain()));
  ASSIGN_OR_RETURN(const PrivacyBudget budget, PrivacyBudget::Create(manifest.epsilon, manifest.delta));
  RunOptions options{.budget = budget};
  options.max_model_cells = manifest.max_model_cells;
  // Seeded noise hangs on names, so research calls its releases as the simulation does.
  if (!manifest.research_seed) options.run = manifest.id;
  RunRequest request = manifest.request;
  request.sum_noise = SumNoise::kSplit;
  ASSIGN_OR_RETURN(RunPlan plan, MakeRunPlan(request, options, schema.domain().size()));
  RETURN_IF_ERROR(CheckMethodIsForNetworks(plan.method));
  RETURN_IF_ERROR(CheckBounds(manifest));
  ASSIGN_OR_RETURN(AgreedMarginals marginals, AgreedMarginals::Create(workload, plan.options.weights));
  return Study{.manifest = std::move(manifest),
               .digest = signed_manifest.digest(),
               .schema = std::move(schema),
               .workload = std::move(workload),
               .plan = std::move(plan),
               .marginals = std::move(marginals)};
}

absl::Status CheckSoftware(const Study& study, const std::string& software) {
  if (study.manifest.software == software) return absl::OkStatus();
  return FailedPrecondition("the study was made with version {} of flaim, and this is {}: all must run the same",
                            study.manifest.software, software);
}

std::string Explain(const Study& study) {
  const Manifest& manifest = study.manifest;
  std::string text;
  text += fmt::format("study      {} ({})\n", manifest.study, manifest.id);
  text += fmt::format("manifest   {}\n", ToHex(study.digest));
  text += fmt::format("promise    epsilon {:g}, delta {:g} for each record of a site (add or remove one)\n",
                      manifest.epsilon, manifest.delta);
  text += fmt::format("cost       at most rho {:.6g} of the site's account\n", study.plan.terms().allowance.ToDouble());
  text += fmt::format("method     {}: {}\n", study.plan.title, study.plan.method.summary);
  text += fmt::format("rounds     {}; {}\n", RoundsInWords(study), study.plan.availability_text);
  text += fmt::format("queries    {} marginals over {} columns\n", study.workload.size(), study.domain().size());
  text += fmt::format("rows       {}; the coordinator is not told how many\n", UnfitInWords(manifest.unfit));
  text += fmt::format("sums       of at least {} sites; {:.0f}% may drop out, {} may collude with the coordinator\n",
                      manifest.minimum_sites, 100 * manifest.bounds.dropout_share, manifest.bounds.colluders);
  text += fmt::format("trust      {}\n", ToString(TrustOf(study.plan.method)));
  text += fmt::format("software   {}\n", manifest.software);
  if (study.IsResearch()) text += "RESEARCH   the noise comes from a seed that everybody knows: NOT private\n";
  return text;
}

}  // namespace flaim::runtime
