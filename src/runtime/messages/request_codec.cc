#include "runtime/messages/request_codec.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "base/status.h"
#include "messages.pb.h"
#include "model/inference/clique_layout.h"
#include "privacy/budget/charge.h"

namespace flaim::runtime {
namespace {

static_assert(std::endian::native == std::endian::little, "potentials are sent as they are in memory");

constexpr std::size_t kMaxNameBytes = 200;
constexpr double kMostPenalty = 0x1p40;  // records

void Write(const ReleaseName& name, messages::ReleaseName& out) {
  out.set_run(name.run);
  out.set_round(name.round);
  out.set_query(name.query);
}

void Write(const Rational& value, messages::Fraction& out) {
  out.set_numerator(value.numerator());
  out.set_denominator(value.denominator());
}

void Write(const Clique& clique, messages::Clique& out) {
  for (const AttributeIndex attribute : clique) out.add_attributes(static_cast<std::uint32_t>(attribute));
}

void Write(const WeightedQuery& query, messages::WeightedQuery& out) {
  Write(query.clique, *out.mutable_clique());
  out.set_weight(query.weight);
}

void Write(const CountsRequest& request, messages::Request& out) {
  messages::CountsRequest& counts = *out.mutable_counts();
  Write(request.name, *counts.mutable_name());
  for (const Clique& clique : request.cliques) Write(clique, *counts.add_cliques());
  Write(request.sigma_squared, *counts.mutable_sigma_squared());
  counts.set_of_choosers(request.contributors == Contributors::kChoosers);
  counts.set_choices_per_client(request.choices_per_client);
  counts.set_round_marginals(request.round_marginals);
}

void Write(const ScoresRequest& request, messages::Request& out) {
  messages::ScoresRequest& scores = *out.mutable_scores();
  Write(request.name, *scores.mutable_name());
  for (const Clique& clique : request.candidates) Write(clique, *scores.add_candidates());
  Write(request.sigma_squared, *scores.mutable_sigma_squared());
}

void Write(const LocalSelection& request, messages::Request& out) {
  messages::LocalSelection& local = *out.mutable_local();
  Write(request.name, *local.mutable_name());
  for (const WeightedQuery& query : request.candidates) Write(query, *local.add_candidates());
  for (const double penalty : request.penalty_records) local.add_penalty_records(penalty);
  local.set_has_proxy(request.heterogeneity == Heterogeneity::kProxy);
  local.set_steps(request.steps);
  Write(request.epsilon, *local.mutable_epsilon());
}

void Write(const RandomSelection& request, messages::Request& out) {
  messages::RandomSelection& random = *out.mutable_random();
  Write(request.name, *random.mutable_name());
  for (const WeightedQuery& query : request.candidates) Write(query, *random.add_candidates());
  random.set_steps(request.steps);
}

bool ComparesWithModel(const SumBody& body) {
  return std::holds_alternative<ScoresRequest>(body) || std::holds_alternative<LocalSelection>(body);
}

ModelView ModelOf(const SumBody& body) {
  if (const auto* scores = std::get_if<ScoresRequest>(&body)) return scores->model;
  if (const auto* local = std::get_if<LocalSelection>(&body)) return local->model;
  return {};
}

void SetModel(const ModelView& model, SumBody& body) {
  if (auto* scores = std::get_if<ScoresRequest>(&body)) scores->model = model;
  if (auto* local = std::get_if<LocalSelection>(&body)) local->model = model;
}

std::string EncodeModel(const Model& model) {
  CHECK(model.levels() == nullptr, "clients have no message for levels, and would take bins for values");
  messages::Model out;
  for (const Clique& clique : model.layout().cliques()) Write(clique, *out.add_cliques());
  const std::span<const double> potentials = model.potentials();
  out.set_potentials(potentials.data(), potentials.size() * sizeof(double));
  out.set_total(model.total());
  return out.SerializeAsString();
}

absl::StatusOr<ReleaseName> Read(const messages::ReleaseName& name) {
  if (name.run().empty() || name.run().size() > kMaxNameBytes || name.query().empty() ||
      name.query().size() > kMaxNameBytes || name.round() < 0) {
    return InvalidArgument("the request has no proper name");
  }
  return ReleaseName{name.run(), name.round(), name.query()};
}

absl::StatusOr<Rational> Read(const messages::Fraction& value) {
  if (value.numerator() < 0 || value.numerator() > Rational::kMaxTerm || value.denominator() < 1 ||
      value.denominator() > Rational::kMaxTerm) {
    return InvalidArgument("the request has a fraction that is none");
  }
  return Rational(value.numerator(), value.denominator());
}

absl::StatusOr<Clique> Read(const messages::Clique& clique, const Domain& domain) {
  std::vector<AttributeIndex> attributes;
  for (const std::uint32_t attribute : clique.attributes()) {
    const bool ascends = attributes.empty() || attribute > static_cast<std::uint32_t>(attributes.back());
    if (attribute >= static_cast<std::uint32_t>(domain.size()) || !ascends) {
      return InvalidArgument("the request has a marginal over columns that the schema does not have");
    }
    attributes.push_back(static_cast<AttributeIndex>(attribute));
  }
  if (attributes.empty()) return InvalidArgument("the request has a marginal over no column");
  return Clique(attributes);
}

template <typename Repeated>
absl::StatusOr<std::vector<Clique>> ReadCliques(const Repeated& cliques, const Domain& domain,
                                                const RequestLimits& limits) {
  std::vector<Clique> read;
  std::set<Clique> seen;
  std::int64_t entries = 0;
  for (const messages::Clique& clique : cliques) {
    ASSIGN_OR_RETURN(Clique next, Read(clique, domain));
    ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, next));
    entries += cells;
    if (cells > limits.max_entries || entries > limits.max_entries) {
      return InvalidArgument("the request has marginals of more than {} cells", limits.max_entries);
    }
    if (!seen.insert(next).second) return InvalidArgument("the request has a marginal twice");
    read.push_back(std::move(next));
  }
  if (read.empty()) return InvalidArgument("the request asks for nothing");
  return read;
}

template <typename Repeated>
absl::StatusOr<std::vector<WeightedQuery>> ReadQueries(const Repeated& queries, const Domain& domain,
                                                       const RequestLimits& limits) {
  std::vector<messages::Clique> cliques;
  for (const messages::WeightedQuery& query : queries) cliques.push_back(query.clique());
  ASSIGN_OR_RETURN(const std::vector<Clique> candidates, ReadCliques(cliques, domain, limits));
  std::vector<WeightedQuery> read;
  for (int i = 0; i < queries.size(); ++i)
    read.push_back({candidates[static_cast<std::size_t>(i)], queries[i].weight()});
  return read;
}

absl::StatusOr<SumBody> Read(const messages::CountsRequest& counts, const Domain& domain, const RequestLimits& limits) {
  CountsRequest request;
  ASSIGN_OR_RETURN(request.name, Read(counts.name()));
  ASSIGN_OR_RETURN(request.cliques, ReadCliques(counts.cliques(), domain, limits));
  ASSIGN_OR_RETURN(request.sigma_squared, Read(counts.sigma_squared()));
  request.contributors = counts.of_choosers() ? Contributors::kChoosers : Contributors::kEverybody;
  request.choices_per_client = counts.choices_per_client();
  if (counts.choices_per_client() < 1) return InvalidArgument("the request pays for no choice");
  request.round_marginals = counts.round_marginals();
  if (request.round_marginals < 0) return InvalidArgument("the request is of a round with fewer marginals than none");
  RETURN_IF_ERROR(Validate(MechanismOf(request)));
  return request;
}

absl::StatusOr<SumBody> Read(const messages::ScoresRequest& scores, const Domain& domain, const RequestLimits& limits) {
  ScoresRequest request;
  ASSIGN_OR_RETURN(request.name, Read(scores.name()));
  ASSIGN_OR_RETURN(request.candidates, ReadCliques(scores.candidates(), domain, limits));
  ASSIGN_OR_RETURN(request.sigma_squared, Read(scores.sigma_squared()));
  RETURN_IF_ERROR(Validate(MechanismOf(request)));
  return request;
}

absl::StatusOr<SumBody> Read(const messages::LocalSelection& local, const Domain& domain, const RequestLimits& limits) {
  LocalSelection request;
  ASSIGN_OR_RETURN(request.name, Read(local.name()));
  ASSIGN_OR_RETURN(request.candidates, ReadQueries(local.candidates(), domain, limits));
  ASSIGN_OR_RETURN(request.epsilon, Read(local.epsilon()));
  request.penalty_records.assign(local.penalty_records().begin(), local.penalty_records().end());
  request.heterogeneity = local.has_proxy() ? Heterogeneity::kProxy : Heterogeneity::kIgnored;
  request.steps = local.steps();
  if (request.penalty_records.size() != request.candidates.size() || request.steps < 1 ||
      request.steps > std::ssize(request.candidates)) {
    return InvalidArgument("the request's candidates, penalties and steps do not fit together");
  }
  for (const double penalty : request.penalty_records) {
    if (!(std::abs(penalty) <= kMostPenalty)) return InvalidArgument("the request has a penalty that is no penalty");
  }
  if (request.epsilon.numerator() == 0) return InvalidArgument("the request's choices have no epsilon");
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));
  RETURN_IF_ERROR(Validate(mechanism));
  return request;
}

absl::StatusOr<SumBody> Read(const messages::RandomSelection& random, const Domain& domain,
                             const RequestLimits& limits) {
  RandomSelection request;
  ASSIGN_OR_RETURN(request.name, Read(random.name()));
  ASSIGN_OR_RETURN(request.candidates, ReadQueries(random.candidates(), domain, limits));
  request.steps = random.steps();
  if (request.steps < 1) return InvalidArgument("the request asks for no choice");
  return request;
}

absl::StatusOr<SumBody> ReadBody(const messages::Request& request, const Domain& domain, const RequestLimits& limits) {
  switch (request.body_case()) {
    case messages::Request::kCounts:
      return Read(request.counts(), domain, limits);
    case messages::Request::kScores:
      return Read(request.scores(), domain, limits);
    case messages::Request::kLocal:
      return Read(request.local(), domain, limits);
    case messages::Request::kRandom:
      return Read(request.random(), domain, limits);
    case messages::Request::BODY_NOT_SET:
      break;
  }
  return InvalidArgument("the request asks for nothing that this version knows");
}

absl::StatusOr<Model> ReadModel(const std::string& bytes, const Domain& domain, const RequestLimits& limits,
                                Parallel& parallel) {
  messages::Model model;
  if (!model.ParseFromString(bytes)) return InvalidArgument("the model cannot be read");
  RequestLimits cells = limits;
  cells.max_entries = limits.max_model_cells;
  ASSIGN_OR_RETURN(std::vector<Clique> cliques, ReadCliques(model.cliques(), domain, cells));
  std::int64_t entries = 0;
  for (const Clique& clique : cliques) entries += CellCount(domain, clique).value();
  if (model.potentials().size() != static_cast<std::size_t>(entries) * sizeof(double)) {
    return InvalidArgument("the model does not have the potentials of its marginals");
  }
  std::vector<double> potentials(static_cast<std::size_t>(entries));
  std::memcpy(potentials.data(), model.potentials().data(), model.potentials().size());
  return Model::Create(domain, std::move(cliques), std::move(potentials), model.total(), limits.max_model_cells,
                       parallel);
}

}  // namespace

const ReleaseName& SumRequest::name() const {
  return std::visit([](const auto& request) -> const ReleaseName& { return request.name; }, body);
}

Digest EncodedRequest::RequestDigest() const { return Sha256(AsBytes(request)); }
Digest EncodedRequest::ModelDigest() const { return Sha256(AsBytes(model)); }

EncodedRequest Encode(const SumRequest& request) {
  messages::Request out;
  out.set_attempt(request.attempt);
  out.set_is_initialisation(request.is_initialisation);
  std::visit([&out](const auto& body) { Write(body, out); }, request.body);
  const ModelView model = ModelOf(request.body);
  return {.request = out.SerializeAsString(), .model = model.HasModel() ? EncodeModel(model.model()) : std::string()};
}

absl::StatusOr<SumRequest> DecodeWithoutModel(const std::string& request, const Domain& domain,
                                              const RequestLimits& limits) {
  messages::Request message;
  if (!message.ParseFromString(request)) return InvalidArgument("the request cannot be read");
  if (message.attempt() < 1) return InvalidArgument("the request has no attempt");
  ASSIGN_OR_RETURN(SumBody body, ReadBody(message, domain, limits));
  return SumRequest{
      .attempt = message.attempt(), .is_initialisation = message.is_initialisation(), .body = std::move(body)};
}

absl::StatusOr<ReceivedRequest> Decode(const EncodedRequest& encoded, const Domain& domain, const RequestLimits& limits,
                                       Parallel& parallel) {
  ASSIGN_OR_RETURN(SumRequest request, DecodeWithoutModel(encoded.request, domain, limits));
  ReceivedRequest received{.model = nullptr, .request = std::move(request)};
  if (encoded.model.empty() == ComparesWithModel(received.request.body)) {
    return InvalidArgument("the request does not come with the model that it needs, or with one that it does not");
  }
  if (!encoded.model.empty()) {
    ASSIGN_OR_RETURN(Model model, ReadModel(encoded.model, domain, limits, parallel));
    received.model = std::make_unique<const Model>(std::move(model));
    SetModel(ModelView(*received.model), received.request.body);
  }
  return received;
}

std::vector<std::uint32_t> EntriesOf(const SumBody& body, const Domain& domain) {
  if (const auto* counts = std::get_if<CountsRequest>(&body)) {
    std::vector<std::uint32_t> entries;
    for (const Clique& clique : counts->cliques) {
      entries.push_back(static_cast<std::uint32_t>(CellCount(domain, clique).value()));
    }
    return entries;
  }
  const std::size_t candidates =
      std::holds_alternative<ScoresRequest>(body)    ? std::get<ScoresRequest>(body).candidates.size()
      : std::holds_alternative<LocalSelection>(body) ? std::get<LocalSelection>(body).candidates.size()
                                                     : std::get<RandomSelection>(body).candidates.size();
  return {static_cast<std::uint32_t>(candidates)};
}

}  // namespace flaim::runtime
