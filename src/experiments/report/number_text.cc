#include "experiments/report/number_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "fmt/format.h"

namespace flaim {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr int kMostDecimals = 8;

std::string WithTrueMinus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + kMinus.size())) {
    text.replace(at, 1, kMinus);
  }
  return text;
}

std::string FixedText(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  if (is_zero && text.starts_with('-')) text.erase(0, 1);
  return WithTrueMinus(std::move(text));
}

// Decimals after which `digits` significant digits have been said.
int DecimalsFor(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return std::clamp(digits - 1 - magnitude, 0, kMostDecimals);
}

// The digits that mean something: one of the error, two if it starts with 1; of the mean at most four, three below 1,
// and one more if the error would not be seen otherwise.
int DecimalsOf(const Summary& summary) {
  constexpr int kDigitsWithoutError = 3;
  if (!summary.standard_error || *summary.standard_error == 0) return DecimalsFor(summary.mean, kDigitsWithoutError);
  const double error = *summary.standard_error;
  const double leading = error / std::pow(10, std::floor(std::log10(error)));
  const int decimals = DecimalsFor(error, leading < 2 ? 2 : 1);
  if (summary.mean == 0) return decimals;
  const int most = DecimalsFor(summary.mean, std::abs(summary.mean) < 1 ? 3 : 4);
  return std::min(decimals, DecimalsFor(error, 1) > most ? most + 1 : most);
}

}  // namespace

std::string NumberText(double value, int significant_digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : WithTrueMinus(value > 0 ? "∞" : "-∞");
  if (value == std::floor(value) && std::abs(value) < 1e6) return FixedText(value, 0);
  if (std::abs(value) < 1e-4 || std::abs(value) >= 1e9) {
    return WithTrueMinus(fmt::format("{:.{}g}", value, significant_digits));
  }
  return FixedText(value, DecimalsFor(value, significant_digits));
}

std::string PlainText(double value) { return WithTrueMinus(fmt::format("{:.6g}", value)); }

std::string MeanPart(const Summary& summary) { return FixedText(summary.mean, DecimalsOf(summary)); }

std::string ErrorPart(const Summary& summary) {
  if (!summary.standard_error) return "";
  if (*summary.standard_error == 0) return " ± 0";
  const std::string text = FixedText(*summary.standard_error, DecimalsOf(summary));
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return fmt::format(" ± {}", is_zero ? NumberText(*summary.standard_error, 1) : text);
}

std::string MeanText(const Summary& summary) { return fmt::format("{}{}", MeanPart(summary), ErrorPart(summary)); }

std::string IntervalText(const Summary& summary) {
  const std::optional<double> half = summary.HalfWidth();
  if (!half) return fmt::format("{}, {}: no interval", NumberText(summary.mean, 5), CountText(summary.count, "run"));
  return fmt::format("{}, 95 % interval {} to {} over {}", NumberText(summary.mean, 5),
                     NumberText(summary.mean - *half, 4), NumberText(summary.mean + *half, 4),
                     CountText(summary.count, "run"));
}

std::string DifferenceText(double value, double reference) {
  if (reference == 0 || !std::isfinite(value)) return "";
  const double percent = 100 * (value - reference) / std::abs(reference);
  if (std::abs(percent) < 0.05) return "±0 %";
  return fmt::format("{}{} %", percent > 0 ? "+" : "", FixedText(percent, std::abs(percent) < 9.95 ? 1 : 0));
}

std::string DurationText(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (seconds < 10) return fmt::format("{} s", NumberText(seconds, 2));
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string CountText(int count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace flaim
