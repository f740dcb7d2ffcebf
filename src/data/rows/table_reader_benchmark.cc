#include <benchmark/benchmark.h>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "data/rows/row_writer.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "io/byte_sink.h"

namespace flaim {
namespace {

constexpr std::size_t kRows = 50'000;

// The columns of the Adult table, with values made at random: six numbers and nine categories.
Schema AdultLikeSchema() {
  std::string toml;
  for (int i = 0; i < 6; ++i) {
    toml += fmt::format("[[column]]\nname = 'number{}'\ntype = 'real'\nmin = 0\nmax = 99999\ndecimals = 0\n", i);
  }
  for (int i = 0; i < 9; ++i) {
    toml += fmt::format("[[column]]\nname = 'category{}'\ntype = 'categorical'\nvalues = [", i);
    for (int value = 0; value < 4 + 2 * i; ++value) toml += fmt::format("'Some-value-{}', ", value * 7);
    toml += "]\n";
  }
  return *ParseSchema(toml, "adult-like.toml");
}

void WriteRandomRows(const Schema& schema, RowWriter& writer, RandomSource& random) {
  std::vector<std::uint32_t> codes(schema.columns().size());
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<std::uint32_t>(random.NextBelow(schema.columns()[i].size()));
    }
    CHECK(writer.WriteRow(codes).ok());
  }
  CHECK(writer.Finish().ok());
}

std::string AdultLikeCsv(const Schema& schema) {
  SeededRandomSource random(1);
  std::string csv;
  const auto sink = StringSink("memory", &csv);
  WriteRandomRows(schema, *ValueWriter(*sink, schema, random), random);
  return csv;
}

void Count(benchmark::State& state, std::size_t bytes, std::size_t rows) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

void ReadAdultLikeTable(benchmark::State& state) {
  const Schema schema = AdultLikeSchema();
  const std::string csv = AdultLikeCsv(schema);
  for (auto _ : state) {
    const auto table = ReadTable(StringSource("memory", csv), schema);
    CHECK(table.ok() && table->rows() == kRows);
  }
  Count(state, csv.size(), kRows);
}
BENCHMARK(ReadAdultLikeTable)->Unit(benchmark::kMillisecond);

void ReadAdultTable(benchmark::State& state) {
  const auto schema = LoadSchema(std::string(FLAIM_DATA_DIR) + "/adult.schema.json");
  auto source = OpenByteSource(std::string(FLAIM_DATA_DIR) + "/adult.csv.xz");
  if (!schema.ok() || !source.ok()) {
    state.SkipWithError("adult.csv.xz is absent");
    return;
  }
  const std::string csv = *ReadAll(**source, std::size_t{1} << 30);
  std::size_t rows = 0;
  for (auto _ : state) rows = ReadTable(StringSource("memory", csv), *schema)->rows();
  Count(state, csv.size(), rows);
}
BENCHMARK(ReadAdultTable)->Unit(benchmark::kMillisecond);

void WriteAdultLikeValues(benchmark::State& state) {
  const Schema schema = AdultLikeSchema();
  SeededRandomSource random(1);
  std::string csv;
  for (auto _ : state) {
    const auto sink = StringSink("memory", &csv);
    WriteRandomRows(schema, *ValueWriter(*sink, schema, random), random);
  }
  Count(state, csv.size(), kRows);
}
BENCHMARK(WriteAdultLikeValues)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flaim
