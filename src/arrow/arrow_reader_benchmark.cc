#include <benchmark/benchmark.h>

#include <functional>
#include <utility>
#include <vector>

#include "arrow/arrow_reader.h"
#include "arrow/export.h"
#include "base/check.h"
#include "base/seeded_random_source.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "fmt/format.h"
#include "io/byte_source.h"

// Rows a second from an Arrow column to codes, beside the text twin: the same values as a CSV file.

namespace flaim {
namespace {

constexpr std::int64_t kRows = 1'000'000;
constexpr std::size_t kValues = 16;

Schema Numbers() { return *ParseSchema("[[column]]\nname='x'\ntype='integer'\nmin=0\nmax=999999\nbins=100", "s"); }
Schema Reals() { return *ParseSchema("[[column]]\nname='x'\ntype='real'\nmin=0\nmax=1", "s"); }
Schema Categories() {
  std::string values;
  for (std::size_t i = 0; i < kValues; ++i) values += fmt::format("'Some-value-{}',", i);
  return *ParseSchema(fmt::format("[[column]]\nname='x'\ntype='categorical'\nvalues=[{}]", values), "s");
}

template <typename Stored>
std::shared_ptr<const std::vector<Stored>> Draw(const std::function<Stored(RandomSource&)>& draw) {
  SeededRandomSource random(1);
  auto values = std::make_shared<std::vector<Stored>>();
  for (std::int64_t row = 0; row < kRows; ++row) values->push_back(draw(random));
  return values;
}

template <typename Stored>
ArrayParts PartsOf(const std::shared_ptr<const std::vector<Stored>>& values) {
  ArrayParts parts;
  parts.length = std::ssize(*values);
  parts.buffers = {nullptr, values->data()};
  parts.memory = values;
  return parts;
}

// A text column: rows' texts one after the other.
struct TextMemory {
  std::vector<std::int32_t> offsets = {0};
  std::string texts;
  void Add(std::string_view text) {
    texts += text;
    offsets.push_back(static_cast<std::int32_t>(texts.size()));
  }
};

ArrayParts PartsOf(const std::shared_ptr<const TextMemory>& memory) {
  ArrayParts parts;
  parts.length = std::ssize(memory->offsets) - 1;
  parts.buffers = {nullptr, memory->offsets.data(), memory->texts.data()};
  parts.memory = memory;
  return parts;
}

FieldParts Field(std::string format) {
  return {.format = std::move(format), .name = "x", .children = {}, .dictionary = {}};
}

void ReadArrays(benchmark::State& state, const Schema& schema, const FieldParts& field,
                const std::function<ArrayParts()>& parts) {
  for (auto _ : state) {
    std::vector<ArrowOwner<ArrowArray>> columns;
    columns.push_back(ExportArray(parts()));
    std::vector<ArrowOwner<ArrowArray>> batches;
    batches.push_back(ExportBatch(kRows, std::move(columns)));
    ArrowArrayStream stream{};
    ExportStream(TableField({field}), std::move(batches), stream);
    const auto table = ReadArrow(stream, schema);
    CHECK(table.ok() && std::cmp_equal(table->rows(), kRows));
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

void ReadCsv(benchmark::State& state, const Schema& schema, const std::string& csv) {
  for (auto _ : state) {
    const auto table = ReadTable(StringSource("memory", csv), schema);
    CHECK(table.ok() && std::cmp_equal(table->rows(), kRows));
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

template <typename Values>
std::string CsvOf(const Values& values) {
  std::string csv = "x\n";
  for (const auto& value : values) csv += fmt::format("{}\n", value);
  return csv;
}

auto Integers() {
  return Draw<std::int64_t>(
      [](RandomSource& random) { return static_cast<std::int64_t>(random.NextBelow(1'000'000)); });
}
auto Doubles() {
  return Draw<double>([](RandomSource& random) { return random.NextUnit(); });
}
auto Floats() {
  return Draw<float>([](RandomSource& random) { return static_cast<float>(random.NextUnit() / 2); });
}
auto Indices() {
  return Draw<std::int32_t>([](RandomSource& random) { return static_cast<std::int32_t>(random.NextBelow(kValues)); });
}
auto Texts() {
  auto memory = std::make_shared<TextMemory>();
  const auto indices = Indices();
  for (const std::int32_t index : *indices) memory->Add(fmt::format("Some-value-{}", index));
  return std::shared_ptr<const TextMemory>(std::move(memory));
}

void ArrowIntegers(benchmark::State& state) {
  const auto values = Integers();
  ReadArrays(state, Numbers(), Field("l"), [&] { return PartsOf(values); });
}
BENCHMARK(ArrowIntegers)->Unit(benchmark::kMillisecond);

void CsvIntegers(benchmark::State& state) { ReadCsv(state, Numbers(), CsvOf(*Integers())); }
BENCHMARK(CsvIntegers)->Unit(benchmark::kMillisecond);

void ArrowDoubles(benchmark::State& state) {
  const auto values = Doubles();
  ReadArrays(state, Reals(), Field("g"), [&] { return PartsOf(values); });
}
BENCHMARK(ArrowDoubles)->Unit(benchmark::kMillisecond);

void ArrowFloats(benchmark::State& state) {
  const auto values = Floats();
  ReadArrays(state, Reals(), Field("f"), [&] { return PartsOf(values); });
}
BENCHMARK(ArrowFloats)->Unit(benchmark::kMillisecond);

void CsvDoubles(benchmark::State& state) { ReadCsv(state, Reals(), CsvOf(*Doubles())); }
BENCHMARK(CsvDoubles)->Unit(benchmark::kMillisecond);

void ArrowTexts(benchmark::State& state) {
  const auto memory = Texts();
  ReadArrays(state, Categories(), Field("u"), [&] { return PartsOf(memory); });
}
BENCHMARK(ArrowTexts)->Unit(benchmark::kMillisecond);

void ArrowDictionary(benchmark::State& state) {
  const auto indices = Indices();
  TextMemory values;
  for (std::size_t i = 0; i < kValues; ++i) values.Add(fmt::format("Some-value-{}", i));
  const auto memory = std::make_shared<const TextMemory>(std::move(values));
  FieldParts field = Field("i");
  field.dictionary = {Field("u")};
  ReadArrays(state, Categories(), field, [&] {
    ArrayParts parts = PartsOf(indices);
    parts.dictionary.push_back(ExportArray(PartsOf(memory)));
    return parts;
  });
}
BENCHMARK(ArrowDictionary)->Unit(benchmark::kMillisecond);

void CsvTexts(benchmark::State& state) {
  std::string csv = "x\n";
  const auto indices = Indices();
  for (const std::int32_t index : *indices) csv += fmt::format("Some-value-{}\n", index);
  ReadCsv(state, Categories(), csv);
}
BENCHMARK(CsvTexts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flaim
