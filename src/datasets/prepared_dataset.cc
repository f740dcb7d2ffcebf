#include "datasets/prepared_dataset.h"

#include <span>
#include <utility>
#include <vector>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_toml.h"
#include "datasets/known_file.h"
#include "datasets/prepared_files.h"
#include "datasets/row_split.h"
#include "datasets/synthfs.h"
#include "datasets/value_groups.h"
#include "io/byte_source.h"
#include "io/digest.h"
#include "io/hex.h"
#include "io/message_text.h"
#include "marginal/workload_spec.h"

namespace flaim {
namespace {

// Goes up whenever the same files and options give other rows.
constexpr int kPreparationVersion = 1;

// One dataset in the data folder, under the names that it has there.
class DatasetFiles {
 public:
  DatasetFiles(const DatasetEntry& entry, const std::string& folder, ProgressSink& progress)
      : entry_(entry), folder_(folder), progress_(progress) {}

  absl::StatusOr<Schema> LoadPublicSchema() const {
    ASSIGN_OR_RETURN(const std::string text, Bytes(entry_.schema_file));
    return ParseSchema(text, PathOf(entry_.schema_file.path));
  }
  absl::StatusOr<std::string> Bytes(const KnownFile& file) const {
    const std::string path = PathOf(file.path);
    absl::StatusOr<std::string> bytes = ReadKnownFile(path, file.sha256);
    return bytes.ok() ? std::move(bytes) : Explain(bytes.status(), path);
  }
  absl::StatusOr<Table> Rows(const KnownFile& file, const Schema& schema) const {
    ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, Open(file));
    return ReadTable(std::move(source), schema, {.progress = &progress_});
  }
  absl::StatusOr<TableWithNumbers> RowsWithClients(const KnownFile& file, const Schema& schema) const {
    ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, Open(file));
    return ReadTableWithNumbers(std::move(source), schema, kClientColumn, {.progress = &progress_});
  }
  std::string PathOf(const std::string& file) const { return fmt::format("{}/{}", folder_, file); }

 private:
  absl::StatusOr<std::unique_ptr<ByteSource>> Open(const KnownFile& file) const {
    ASSIGN_OR_RETURN(std::string bytes, Bytes(file));
    return DecompressIfNeeded(StringSource(PathOf(file.path), std::move(bytes)));
  }
  absl::Status Explain(const absl::Status& status, const std::string& path) const {
    if (!absl::IsNotFound(status)) return status;
    return NotFound(
        "{}: there is no file {}. The original is: {}. Name the folder that holds the datasets with data-dir or the "
        "environment variable FLAIM_DATA; docs/DATASETS.md says what is in it",
        entry_.title, path, entry_.origin);
  }

  const DatasetEntry& entry_;
  const std::string& folder_;
  ProgressSink& progress_;
};

KnownFile MainFile(const DatasetEntry& entry) { return {entry.file, entry.sha256}; }

absl::StatusOr<Schema> WithoutColumns(const Schema& schema, const std::vector<std::string>& dropped) {
  SchemaSpec spec = schema.spec();
  for (const std::string& name : dropped) {
    const auto removed = std::erase_if(spec.columns, [&](const ColumnSpec& column) { return column.name == name; });
    if (removed == 0) return InvalidArgument("the schema has no column {} to leave out", QuoteForMessage(name));
    spec.drop.push_back(name);
  }
  return Schema::Create(std::move(spec));
}

// The columns that were left out are no part of the prepared rows.
absl::StatusOr<Schema> WithoutDropList(const Schema& schema) {
  SchemaSpec spec = schema.spec();
  spec.drop.clear();
  return Schema::Create(std::move(spec));
}

absl::StatusOr<std::optional<AttributeIndex>> FindLabel(const DatasetEntry& entry, const Schema& schema) {
  if (entry.label.empty()) return std::nullopt;
  const std::optional<AttributeIndex> label = schema.domain().Find(entry.label);
  if (!label) return InvalidArgument("{}: no column {}, which is the label", entry.title, QuoteForMessage(entry.label));
  return label;
}

struct TrainAndTest {
  Table train;
  Table test;
};

// Without the rows that are not used, which would otherwise stay in memory.
TrainAndTest SplitRows(const Table& table, std::span<const std::uint32_t> use_of_row) {
  const std::vector<Table> parts = table.SplitBy(use_of_row, kRowUses);
  const auto copy_of = [&](RowUse use) {
    return Table::Concatenate(table.domain(), std::span(parts).subspan(static_cast<std::size_t>(use), 1));
  };
  return {copy_of(RowUse::kTrain), copy_of(RowUse::kTest)};
}

std::string Fingerprint(const DatasetEntry& entry, const Schema& schema, const std::string& options) {
  std::string facts = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", kPreparationVersion, entry.name, entry.sha256,
                                  entry.used_rows, options, FormatSchemaToml(schema));
  if (entry.split) facts += fmt::format("{}\n{}\n", entry.split->test.sha256, entry.split->workload.sha256);
  return ToHex(Sha256(AsBytes(facts)));
}

absl::StatusOr<PreparedDataset> ReadAndSplit(const DatasetEntry& entry, const std::string& folder,
                                             const PrepareOptions& options, ProgressSink& progress) {
  const DatasetFiles files(entry, folder, progress);
  ASSIGN_OR_RETURN(const Schema of_file, files.LoadPublicSchema());
  ASSIGN_OR_RETURN(const Schema of_reader, WithoutColumns(of_file, entry.dropped_columns));
  ASSIGN_OR_RETURN(const Table table, files.Rows(MainFile(entry), of_reader));
  ASSIGN_OR_RETURN(Schema schema, WithoutDropList(of_reader));
  SchemaAndTable read{std::move(schema), table};
  if (!entry.label_groups.empty()) {
    ASSIGN_OR_RETURN(read, MergeValues(read, entry.label, entry.label_groups));
  }
  const auto used = static_cast<std::size_t>(entry.used_rows);
  if (used > read.table.rows()) {
    return InvalidArgument("{} has {} rows where {} are used", files.PathOf(entry.file), read.table.rows(), used);
  }
  SeededRandomSource random(options.seed, fmt::format("split of {}", entry.name));
  const TrainAndTest rows = SplitRows(read.table, DrawSplit(read.table.rows(), used, random));
  ASSIGN_OR_RETURN(const std::optional<AttributeIndex> label, FindLabel(entry, read.schema));
  std::string fingerprint = Fingerprint(entry, read.schema, fmt::format("seed {}", options.seed));
  return PreparedDataset{.entry = entry,
                         .schema = std::move(read.schema),
                         .train = rows.train,
                         .test = rows.test,
                         .label = label,
                         .clients = std::nullopt,
                         .workload = std::nullopt,
                         .fingerprint = std::move(fingerprint)};
}

absl::StatusOr<PreparedDataset> ReadSplit(const DatasetEntry& entry, const std::string& folder,
                                          ProgressSink& progress) {
  const DatasetFiles files(entry, folder, progress);
  ASSIGN_OR_RETURN(Schema schema, files.LoadPublicSchema());
  ASSIGN_OR_RETURN(const TableWithNumbers train, files.RowsWithClients(MainFile(entry), schema));
  ASSIGN_OR_RETURN(const Table test, files.Rows(entry.split->test, schema));
  ASSIGN_OR_RETURN(Partition clients, PartitionByNumbers(train.numbers));
  ASSIGN_OR_RETURN(const std::string workload_text, files.Bytes(entry.split->workload));
  ASSIGN_OR_RETURN(Workload workload, Workload::FromJson(schema.domain(), workload_text, entry.split->workload.path));
  ASSIGN_OR_RETURN(const std::optional<AttributeIndex> label, FindLabel(entry, schema));
  std::string fingerprint = Fingerprint(entry, schema, "");
  return PreparedDataset{.entry = entry,
                         .schema = std::move(schema),
                         .train = train.table,
                         .test = test,
                         .label = label,
                         .clients = std::move(clients),
                         .workload = std::move(workload),
                         .fingerprint = std::move(fingerprint)};
}

Partition OfTrainingRows(const Partition& all, std::span<const std::uint32_t> use_of_row) {
  Partition partition{.clients = all.clients};
  for (std::size_t row = 0; row < use_of_row.size(); ++row) {
    if (use_of_row[row] != static_cast<std::uint32_t>(RowUse::kTrain)) continue;
    partition.client_of_row.push_back(all.client_of_row[row]);
  }
  return partition;
}

absl::StatusOr<PreparedDataset> Generate(const DatasetEntry& entry, const PrepareOptions& options) {
  ASSIGN_OR_RETURN(const SynthFsRows all,
                   GenerateSynthFs({.seed = options.seed, .beta = options.beta, .clients = options.clients}));
  SeededRandomSource random(options.seed, fmt::format("split of {}", entry.name));
  const std::vector<std::uint32_t> use_of_row = DrawSplit(all.table.rows(), all.table.rows(), random);
  const TrainAndTest rows = SplitRows(all.table, use_of_row);
  Schema schema = SynthFsSchema();
  std::string fingerprint = Fingerprint(
      entry, schema, fmt::format("seed {}, beta {}, {} clients", options.seed, options.beta, options.clients));
  return PreparedDataset{.entry = entry,
                         .schema = std::move(schema),
                         .train = rows.train,
                         .test = rows.test,
                         .label = std::nullopt,
                         .clients = OfTrainingRows(all.partition, use_of_row),
                         .workload = std::nullopt,
                         .fingerprint = std::move(fingerprint)};
}

}  // namespace

absl::StatusOr<PreparedDataset> PrepareDataset(const DatasetEntry& entry, const std::string& data_folder,
                                               const PrepareOptions& options, ProgressSink& progress) {
  if (entry.IsGenerated()) return Generate(entry, options);
  if (entry.split) return ReadSplit(entry, data_folder, progress);
  return ReadAndSplit(entry, data_folder, options, progress);
}

}  // namespace flaim
