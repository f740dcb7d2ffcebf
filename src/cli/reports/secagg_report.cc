#include "cli/reports/secagg_report.h"

#include <algorithm>

#include "fmt/format.h"

namespace flaim {
namespace {

using secagg::SumKind;

constexpr double kMaskBytesPerSecond = 3.4e9;
constexpr double kSecondsPerAgreement = 1.0 / 11'000;
constexpr double kSecondsPerVerification = 1.0 / 8'000;
constexpr double kSecondsPerNoise = 50e-9;

// What is asked for with 1,000 clients, 10^6 entries and 5% dropout.
constexpr int kAskedClients = 1'000;
constexpr std::uint32_t kAskedEntries = 1'000'000;
constexpr double kAskedDropoutPercent = 5;
constexpr double kAskedServerSeconds = 6;
constexpr double kAskedClientSeconds = 0.12;
constexpr double kAskedUploadMegabytes = 4.1;

double MaskSeconds(const secagg::SessionTerms& terms) {
  const double word_bytes = terms.ring_bits <= 32 ? 4 : 8;
  return terms.blocks[0].entries * word_bytes / kMaskBytesPerSecond;
}

std::string NameOf(SumKind kind) { return kind == SumKind::kSecure ? "secure" : "plain"; }

double Megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

std::string InMilliseconds(double seconds) { return fmt::format("{:.2f}", 1e3 * seconds); }

std::string AskedLine(const char* what, double measured, double most, const char* unit) {
  return fmt::format("  {} {:.3g} {}, asked for at most {:g}: {}", what, measured, unit, most,
                     measured <= most ? "met" : "MISSED");
}

bool IsAskedFor(const MeasuredSum& sum) {
  return sum.setting.kind == SumKind::kSecure && sum.setting.bounds.invited == kAskedClients &&
         sum.setting.entries == kAskedEntries && sum.dropout_percent == kAskedDropoutPercent;
}

}  // namespace

ModelSeconds ModelOf(const secagg::SessionTerms& terms, int vanishing) {
  const double mask = MaskSeconds(terms);
  const double neighbours = terms.graph.degree;
  const double survivors = terms.bounds.invited - vanishing;
  const double others = terms.bounds.invited - 1;
  const double lost_pairs = others > 0 ? vanishing * neighbours * survivors / others : 0;
  return {.client = (neighbours + 1) * mask + (2 * neighbours + 2) * kSecondsPerAgreement +
                    (2 * neighbours + 1) * kSecondsPerVerification,
          .unmasking = survivors * mask + lost_pairs * (mask + kSecondsPerAgreement)};
}

double EstimatedCoreSeconds(const secagg::SessionTerms& terms) {
  const ModelSeconds model = ModelOf(terms, terms.bounds.dropouts);
  const double noise = terms.blocks[0].sigma_squared.numerator() > 0 ? kSecondsPerNoise * terms.blocks[0].entries : 0;
  return terms.bounds.invited * (model.client + noise) + model.unmasking;
}

std::vector<std::string> SumTitles() {
  return {"sum",       "clients",  "entries",     "dropout %", "k",        "t",        "client ms",
          "max ms",    "noise ms", "rest ms",     "model ms",  "server s", "unmask s", "model s",
          "upload MB", "extra kB", "download kB", "rounds",    "memory MB"};
}

std::vector<std::string> SumLine(const MeasuredSum& sum) {
  const secagg::SessionCost& cost = sum.cost;
  const bool is_secure = sum.setting.kind == SumKind::kSecure;
  const ModelSeconds model = ModelOf(cost.terms, sum.setting.vanishing);
  const auto if_secure = [is_secure](const std::string& text) { return is_secure ? text : std::string(); };
  return {NameOf(sum.setting.kind),
          fmt::format("{}", sum.setting.bounds.invited),
          fmt::format("{}", sum.setting.entries),
          fmt::format("{:g}", sum.dropout_percent),
          if_secure(fmt::format("{}", cost.terms.graph.degree)),
          if_secure(fmt::format("{}", cost.terms.graph.threshold)),
          InMilliseconds(cost.client.Total()),
          InMilliseconds(cost.client_seconds_max),
          InMilliseconds(cost.client.noise),
          InMilliseconds(cost.client.Total() - cost.client.noise),
          if_secure(InMilliseconds(model.client)),
          fmt::format("{:.4f}", cost.server.Total()),
          fmt::format("{:.4f}", cost.server.unmasking),
          if_secure(fmt::format("{:.4f}", model.unmasking)),
          fmt::format("{:.3f}", Megabytes(cost.upload_bytes)),
          fmt::format("{:.1f}", 1e3 * Megabytes(cost.upload_bytes - cost.vector_bytes)),
          fmt::format("{:.1f}", 1e3 * Megabytes(cost.download_bytes)),
          fmt::format("{}", cost.rounds),
          fmt::format("{:.0f}", sum.peak_megabytes)};
}

nlohmann::json ToJson(const MeasuredSum& sum) {
  const secagg::SessionCost& cost = sum.cost;
  nlohmann::json json = {{"sum", NameOf(sum.setting.kind)},
                         {"clients", sum.setting.bounds.invited},
                         {"entries", sum.setting.entries},
                         {"dropout_percent", sum.dropout_percent},
                         {"dropouts_allowed", sum.setting.bounds.dropouts},
                         {"colluders_allowed", sum.setting.bounds.colluders},
                         {"vanished", sum.setting.vanishing},
                         {"contributors", cost.contributors},
                         {"ring_bits", cost.terms.ring_bits},
                         {"rounds", cost.rounds},
                         {"vector_bytes", cost.vector_bytes},
                         {"upload_bytes", cost.upload_bytes},
                         {"upload_bytes_beyond_the_vector", cost.upload_bytes - cost.vector_bytes},
                         {"download_bytes", cost.download_bytes},
                         {"noise_sigma", cost.noise_sigma},
                         {"noise_sigma_expected", cost.noise_sigma_expected},
                         {"wall_s", cost.wall_seconds},
                         {"peak_mb", sum.peak_megabytes}};
  json["client_s"] = {{"total", cost.client.Total()},         {"keys", cost.client.keys},
                      {"noise", cost.client.noise},           {"masking", cost.client.masking},
                      {"confirming", cost.client.confirming}, {"slowest_total", cost.client_seconds_max}};
  json["server_s"] = {{"total", cost.server.Total()},
                      {"receiving", cost.server.receiving},
                      {"unmasking", cost.server.unmasking},
                      {"rest", cost.server.rest}};
  if (sum.setting.kind == SumKind::kSecure) {
    const ModelSeconds model = ModelOf(cost.terms, sum.setting.vanishing);
    json["degree"] = cost.terms.graph.degree;
    json["threshold"] = cost.terms.graph.threshold;
    json["model_s"] = {{"client_without_noise", model.client}, {"unmasking", model.unmasking}};
  }
  return json;
}

std::vector<std::string> Verdict(const std::vector<MeasuredSum>& sums) {
  const auto asked = std::find_if(sums.begin(), sums.end(), IsAskedFor);
  if (asked == sums.end()) return {};
  const secagg::SessionCost& cost = asked->cost;
  return {fmt::format("{} clients x {} entries, {:g}% dropout:", kAskedClients, kAskedEntries, kAskedDropoutPercent),
          AskedLine("server", cost.server.Total(), kAskedServerSeconds, "core seconds"),
          AskedLine("client", cost.client.Total(), kAskedClientSeconds, "seconds, noise included"),
          AskedLine("upload", Megabytes(cost.upload_bytes), kAskedUploadMegabytes, "MB")};
}

}  // namespace flaim
