#include "secagg/protocol/mask_removal.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "secagg/protocol/neighbourhood.h"
#include "secagg/protocol/session_keys.h"

namespace flaim::secagg {
namespace {

MaskSign Opposite(MaskSign sign) { return sign == MaskSign::kAdd ? MaskSign::kSubtract : MaskSign::kAdd; }

// A mask in the sum: of a survivor alone, or what it has in common with somebody who vanished.
struct MaskInSum {
  int survivor = 0;
  int vanished = -1;
};

std::vector<MaskInSum> MasksInSum(const SessionRecord& record) {
  std::vector<MaskInSum> masks;
  for (int rank = 0; rank < static_cast<int>(record.ids.size()); ++rank) {
    if (!record.survived[rank]) continue;
    masks.push_back({.survivor = rank});
    for (const int neighbour : record.neighbours[rank]) {
      if (record.shared[neighbour] && !record.survived[neighbour]) {
        masks.push_back({.survivor = rank, .vanished = neighbour});
      }
    }
  }
  return masks;
}

// By rank: the seeds of survivors, and the mask keys of those who vanished after sharing.
struct RecoveredSecrets {
  std::vector<Secret32> seeds;
  std::vector<std::optional<AgreementKey>> mask_keys;
};

RecoveredSecrets SortOut(const SessionRecord& record, std::vector<Secret32> secrets) {
  RecoveredSecrets sorted{.seeds = std::move(secrets), .mask_keys = {}};
  sorted.mask_keys.resize(record.ids.size());
  for (std::size_t rank = 0; rank < record.ids.size(); ++rank) {
    if (record.survived[rank] || !record.shared[rank]) continue;
    sorted.mask_keys[rank] = AgreementKey::FromSecret(std::move(sorted.seeds[rank]));
  }
  return sorted;
}

void TakeOut(const SessionRecord& record, const RecoveredSecrets& secrets, const MaskInSum& mask, RingVector& sum) {
  if (mask.vanished < 0) {
    sum.Apply(record.cipher, OwnMaskSeed(secrets.seeds[mask.survivor], record.key_list), MaskSign::kSubtract);
    return;
  }
  const ParticipantId survivor = record.ids[mask.survivor];
  const ParticipantId vanished = record.ids[mask.vanished];
  const absl::StatusOr<Secret32> agreed =
      secrets.mask_keys[mask.vanished]->Agree(record.advertisements[mask.survivor].mask_key);
  CHECK(agreed.ok(), "advertised keys were checked on arrival");
  sum.Apply(record.cipher, PairMaskSeed(*agreed, record.key_list, survivor, vanished),
            Opposite(PairMaskSign(survivor, vanished)));
}

}  // namespace

int SessionRecord::RankOf(ParticipantId id) const {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  CHECK(found != ids.end() && *found == id);
  return static_cast<int>(found - ids.begin());
}

MaskRemoval::MaskRemoval(const SessionRecord& record)
    : record_(record), seeds_(record.ids.size()), shares_(record.ids.size()) {}

absl::Status MaskRemoval::Add(int rank, Unmask unmask) {
  std::vector<int> owed;
  for (const int neighbour : record_.neighbours[rank]) {
    if (record_.shared[neighbour]) owed.push_back(neighbour);
  }
  if (unmask.entries.size() != owed.size()) return InvalidArgument("one share is due for each of {}", owed.size());
  for (std::size_t i = 0; i < owed.size(); ++i) {
    const ShareKind kind = record_.survived[owed[i]] ? ShareKind::kSeed : ShareKind::kMaskKey;
    if (unmask.entries[i].of != record_.ids[owed[i]] || unmask.entries[i].kind != kind) {
      return InvalidArgument("the share for participant {} is missing, or of the wrong kind", record_.ids[owed[i]]);
    }
  }
  for (std::size_t i = 0; i < owed.size(); ++i) {
    shares_[owed[i]].push_back({.point = PointOf(record_.ids[rank]), .share = std::move(unmask.entries[i].share)});
  }
  seeds_[rank] = std::move(unmask.seed);
  return absl::OkStatus();
}

bool MaskRemoval::IsNeeded(int rank) const { return record_.survived[rank] || record_.shared[rank]; }

bool MaskRemoval::IsGenuine(int rank, const Secret32& secret) const {
  const Advertise& advertised = record_.advertisements[rank];
  if (record_.survived[rank]) return CommitmentTo(secret) == advertised.seed_commitment;
  return AgreementKey::FromSecret(secret.Clone()).public_key() == advertised.mask_key;
}

std::optional<AbortReason> MaskRemoval::Recover(int rank, Secret32& secret) const {
  if (record_.survived[rank] && seeds_[rank] && IsGenuine(rank, *seeds_[rank])) {
    secret = seeds_[rank]->Clone();
    return std::nullopt;
  }
  const std::vector<Held>& held = shares_[rank];
  const auto threshold = static_cast<std::size_t>(record_.threshold);
  if (held.size() < std::max<std::size_t>(threshold, 1)) return AbortReason::kTooFewShares;
  // One window of shares after another, so that a wrong share is left out of some where there are more than needed.
  const std::size_t windows = held.size() == threshold ? 1 : held.size();
  for (std::size_t start = 0; start < windows; ++start) {
    std::vector<HeldShare> window;
    for (std::size_t i = 0; i < threshold; ++i) {
      const Held& next = held[(start + i) % held.size()];
      window.push_back({.point = next.point, .share = &next.share});
    }
    absl::StatusOr<Secret32> combined = CombineShares(window);
    if (combined.ok() && IsGenuine(rank, *combined)) {
      secret = *std::move(combined);
      return std::nullopt;
    }
  }
  return AbortReason::kWrongShares;
}

std::optional<AbortReason> MaskRemoval::Remove(RingVector& sum, Parallel& parallel) const {
  const std::size_t ranks = record_.ids.size();
  std::vector<Secret32> recovered(ranks);
  std::vector<std::optional<AbortReason>> failures(ranks);
  parallel.For(ranks, [&](std::size_t rank, int) {
    if (IsNeeded(static_cast<int>(rank))) failures[rank] = Recover(static_cast<int>(rank), recovered[rank]);
  });
  for (const std::optional<AbortReason>& failure : failures) {
    if (failure) return failure;
  }
  const RecoveredSecrets secrets = SortOut(record_, std::move(recovered));
  const std::vector<MaskInSum> masks = MasksInSum(record_);
  std::vector<RingVector> removed(parallel.threads(), RingVector(sum.bits(), sum.size()));
  parallel.For(masks.size(), [&](std::size_t i, int thread) { TakeOut(record_, secrets, masks[i], removed[thread]); });
  for (const RingVector& part : removed) sum.Add(part);
  return std::nullopt;
}

}  // namespace flaim::secagg
