#include "app/synthesis.h"

#include <future>

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "base/status.h"

namespace flaim {
namespace {

std::unique_ptr<RandomSource> RandomnessFor(const std::string& purpose, std::optional<std::uint64_t> seed) {
  if (!seed) return std::make_unique<SecureRandomSource>();
  return std::make_unique<SeededRandomSource>(*seed, fmt::format("sample {}", purpose));
}

// Writes one batch while the next is drawn.
class WriteBehind {
 public:
  WriteBehind(RowWriter& writer, bool on_a_thread_of_its_own)
      : writer_(writer), policy_(on_a_thread_of_its_own ? std::launch::async : std::launch::deferred) {}

  absl::Status Write(const Table& batch) {
    RETURN_IF_ERROR(Wait());
    writing_ = std::async(policy_, [this, batch] { return writer_.WriteRows(batch); });
    return absl::OkStatus();
  }
  absl::Status Finish() {
    RETURN_IF_ERROR(Wait());
    return writer_.Finish();
  }

 private:
  absl::Status Wait() { return writing_.valid() ? writing_.get() : absl::OkStatus(); }

  RowWriter& writer_;
  const std::launch policy_;
  std::future<absl::Status> writing_;
};

}  // namespace

std::unique_ptr<RandomSource> RandomnessForRows(std::optional<std::uint64_t> seed) {
  return RandomnessFor("rows", seed);
}

std::unique_ptr<RandomSource> RandomnessForValues(std::optional<std::uint64_t> seed) {
  return RandomnessFor("values", seed);
}

absl::Status Synthesise(const Model& model, const SynthesisRequest& request, RowWriter& writer,
                        const std::function<absl::Status(std::uint64_t done)>& before_batch) {
  const std::unique_ptr<RandomSource> random = RandomnessForRows(request.seed);
  RowSampler sampler(model, request.method);
  WriteBehind behind(writer, request.writes_behind);
  std::uint64_t done = 0;
  const auto write_batch = [&](const Table& batch) {
    RETURN_IF_ERROR(before_batch(done));
    RETURN_IF_ERROR(behind.Write(batch));
    done += batch.rows();
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(StreamRows(sampler, request.rows, *random, write_batch));
  return behind.Finish();
}

}  // namespace flaim
