#include "base/check.h"
#include "base/seeded_random_source.h"
#include "benchmark/benchmark.h"
#include "data/csv/csv_reader.h"
#include "data/csv/csv_writer.h"

namespace flaim {
namespace {

constexpr std::size_t kTextBytes = std::size_t{64} << 20;

// Fifteen columns of short words and numbers, like the census tables of the field.
std::string PlainText() {
  constexpr std::string_view kWords[] = {"Private", "Self-emp", "HS-grad", "Never-married", "White", "Male", "<=50K"};
  SeededRandomSource random(1, "csv benchmark");
  std::string text;
  while (text.size() < kTextBytes) {
    for (int column = 0; column < 15; ++column) {
      if (column > 0) text += ',';
      if (column % 2 == 0) {
        text += std::to_string(random.NextBelow(100000));
      } else {
        text += kWords[random.NextBelow(std::size(kWords))];
      }
    }
    text += '\n';
  }
  return text;
}

// The same fields, each in quotes and with a doubled quote in every seventh.
std::string QuotedText() {
  CsvReader reader(StringSource("plain", PlainText()), {});
  std::string text;
  std::size_t count = 0;
  while (*reader.Next()) {
    for (const std::string_view field : reader.fields()) {
      text += text.empty() || text.back() == '\n' ? "\"" : ",\"";
      text += field;
      text += ++count % 7 == 0 ? "\"\"\"" : "\"";
    }
    text += '\n';
  }
  return text;
}

// Serves the same text without a copy of its own.
class ViewSource final : public ByteSource {
 public:
  explicit ViewSource(std::string_view text) : rest_(text) {}
  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    const std::size_t count = rest_.copy(out.data(), out.size());
    rest_.remove_prefix(count);
    return count;
  }
  const std::string& name() const override { return name_; }

 private:
  std::string_view rest_;
  std::string name_ = "benchmark";
};

void ReadText(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    CsvReader reader(std::make_unique<ViewSource>(text), {});
    std::size_t fields = 0;
    while (true) {
      const absl::StatusOr<bool> more = reader.Next();
      CHECK(more.ok());
      if (!*more) break;
      fields += reader.fields().size();
    }
    benchmark::DoNotOptimize(fields);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

void BM_ReadPlainCsv(benchmark::State& state) { ReadText(state, PlainText()); }
BENCHMARK(BM_ReadPlainCsv)->Unit(benchmark::kMillisecond);

void BM_ReadQuotedCsv(benchmark::State& state) { ReadText(state, QuotedText()); }
BENCHMARK(BM_ReadQuotedCsv)->Unit(benchmark::kMillisecond);

class CountingSink final : public ByteSink {
 public:
  absl::Status Write(std::string_view bytes) override {
    written_ += bytes.size();
    return absl::OkStatus();
  }
  absl::Status Commit() override { return absl::OkStatus(); }
  const std::string& name() const override { return name_; }
  std::size_t written() const { return written_; }

 private:
  std::size_t written_ = 0;
  std::string name_ = "benchmark";
};

void BM_WriteCsv(benchmark::State& state) {
  const std::vector<std::string_view> fields = {"39",           "State-gov",   "77516", "Bachelors", "13",   "single",
                                                "Adm-clerical", "Not in fam.", "White", "Male",      "2174", "0",
                                                "40",           "U.S.",        "<=50K"};
  CountingSink sink;
  CsvWriter writer(sink);
  for (auto _ : state) {
    for (const std::string_view field : fields) writer.Field(field);
    CHECK(writer.EndRecord().ok());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(sink.written()));
}
BENCHMARK(BM_WriteCsv);

}  // namespace
}  // namespace flaim
