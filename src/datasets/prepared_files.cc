#include "datasets/prepared_files.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "data/rows/row_writer.h"
#include "data/schema/schema_toml.h"
#include "datasets/value_groups.h"
#include "io/byte_sink.h"
#include "io/file_descriptor.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

absl::Status WriteText(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(path));
  RETURN_IF_ERROR(sink->Write(text));
  return sink->Commit();
}

absl::Status WriteRows(const std::string& path, const SchemaAndTable& rows, RandomSource& random) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(path));
  const std::unique_ptr<RowWriter> writer = ValueWriter(*sink, rows.schema, random);
  return WriteTable(rows.table, *writer);
}

// The column of clients holds the numbers by which the data calls them.
absl::StatusOr<SchemaAndTable> WithClientColumn(const PreparedDataset& dataset) {
  const Partition& clients = *dataset.clients;
  CategoricalSpec numbers;
  for (std::size_t client = 0; client < clients.clients; ++client) {
    numbers.values.push_back(clients.ids.empty() ? fmt::format("{}", client) : fmt::format("{}", clients.ids[client]));
  }
  ASSIGN_OR_RETURN(CategoricalType type, CategoricalType::Create(std::move(numbers)));
  SchemaSpec spec = dataset.schema.spec();
  spec.columns.push_back({kClientColumn, std::move(type), false, false, std::nullopt});
  ASSIGN_OR_RETURN(Schema schema, Schema::Create(std::move(spec)));
  std::vector<CodeColumn> columns;
  for (AttributeIndex attribute = 0; attribute < dataset.train.domain().size(); ++attribute) {
    columns.push_back(CopyOf(dataset.train.column(attribute)));
  }
  columns.push_back(MakeCodeColumn(static_cast<std::int64_t>(clients.clients), clients.client_of_row.size()));
  std::visit(
      [&](auto& codes) {
        using Code = typename std::remove_reference_t<decltype(codes)>::value_type;
        for (std::size_t row = 0; row < codes.size(); ++row) codes[row] = static_cast<Code>(clients.client_of_row[row]);
      },
      columns.back());
  const Table table = Table::FromColumns(schema.domain(), std::move(columns));
  return SchemaAndTable{std::move(schema), table};
}

// A command that does not ask for the clients leaves their column out.
absl::StatusOr<std::string> SchemaText(const PreparedDataset& dataset) {
  SchemaSpec spec = dataset.schema.spec();
  if (dataset.clients) spec.drop.emplace_back(kClientColumn);
  ASSIGN_OR_RETURN(const Schema schema, Schema::Create(std::move(spec)));
  std::string comment = fmt::format("{}: {}", dataset.entry.title, dataset.entry.origin);
  if (!dataset.entry.remark.empty()) comment += fmt::format("\nThis is {}.", dataset.entry.remark);
  return FormatSchemaToml(schema, comment);
}

std::string WorkloadText(const Domain& domain, const Workload& workload) {
  nlohmann::json queries = nlohmann::json::array();
  for (const WeightedQuery& query : workload) {
    nlohmann::json names = nlohmann::json::array();
    for (const AttributeIndex attribute : query.clique) names.push_back(domain[attribute].name);
    queries.push_back(std::move(names));
  }
  return queries.dump() + "\n";
}

}  // namespace

absl::Status WritePreparedDataset(const PreparedDataset& dataset, const Workload& workload, const std::string& folder,
                                  std::uint64_t seed, ProgressSink& progress) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return FileError(folder, "cannot be made a folder", error.value());
  const auto path_of = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  const auto report = [&](const char* name) { progress.Report({"writing", 0, std::nullopt, name}); };

  SeededRandomSource random(seed, "values of prepared rows");
  SchemaAndTable train{dataset.schema, dataset.train};
  if (dataset.clients) {
    ASSIGN_OR_RETURN(train, WithClientColumn(dataset));
  }
  report("train.csv");
  RETURN_IF_ERROR(WriteRows(path_of("train.csv"), train, random));
  report("test.csv");
  RETURN_IF_ERROR(WriteRows(path_of("test.csv"), {dataset.schema, dataset.test}, random));
  ASSIGN_OR_RETURN(const std::string schema, SchemaText(dataset));
  RETURN_IF_ERROR(WriteText(path_of("schema.toml"), schema));
  return WriteText(path_of("workload.json"), WorkloadText(dataset.schema.domain(), workload));
}

}  // namespace flaim
