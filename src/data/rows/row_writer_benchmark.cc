#include "base/seeded_random_source.h"
#include "benchmark/benchmark.h"
#include "data/rows/row_writer.h"

namespace flaim {
namespace {

constexpr std::size_t kRows = 100'000;
constexpr int kColumns = 14;

// Counts what it is given and keeps nothing.
class CountingSink final : public ByteSink {
 public:
  absl::Status Write(std::string_view bytes) override {
    bytes_ += bytes.size();
    return absl::OkStatus();
  }
  absl::Status Commit() override { return absl::OkStatus(); }
  const std::string& name() const override { return name_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::string name_ = "counted";
  std::size_t bytes_ = 0;
};

Schema SchemaOf(const ColumnType& type) {
  SchemaSpec spec;
  for (int i = 0; i < kColumns; ++i) {
    spec.columns.push_back({"column" + std::to_string(i), type, false, false, std::nullopt});
  }
  return *Schema::Create(spec);
}

Table RandomTable(const Domain& domain) {
  SeededRandomSource random(1);
  TableBuilder builder(domain);
  std::vector<std::uint32_t> codes(kColumns);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.NextBelow(domain[0].size));
    builder.AddRow(codes);
  }
  return std::move(builder).Build();
}

void WriteValues(benchmark::State& state, const ColumnType& type) {
  const Schema schema = SchemaOf(type);
  const Table table = RandomTable(schema.domain());
  SeededRandomSource random(2);
  CountingSink sink;
  const auto writer = ValueWriter(sink, schema, random);
  for (auto _ : state) {
    if (!writer->WriteRows(table).ok()) state.SkipWithError("write failed");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(sink.bytes()));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}

void BM_WriteRowsOfCategories(benchmark::State& state) {
  WriteValues(state, *CategoricalType::Create({{"Private", "Self-emp-not-inc", "Local-gov", "?"}, std::nullopt}));
}
BENCHMARK(BM_WriteRowsOfCategories)->Unit(benchmark::kMillisecond);

void BM_WriteRowsOfIntegers(benchmark::State& state) {
  WriteValues(state, *IntegerType::Create({0, 99, std::nullopt, std::nullopt}));
}
BENCHMARK(BM_WriteRowsOfIntegers)->Unit(benchmark::kMillisecond);

void BM_WriteRowsOfBinnedReals(benchmark::State& state) {
  WriteValues(state, *RealType::Create({UniformBins{0, 100, 32}, std::nullopt}));
}
BENCHMARK(BM_WriteRowsOfBinnedReals)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flaim
