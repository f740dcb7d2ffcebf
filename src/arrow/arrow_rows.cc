#include "arrow/arrow_rows.h"

#include <utility>
#include <variant>
#include <vector>

#include "arrow/column_builder.h"
#include "arrow/export.h"
#include "base/check.h"

namespace flaim {
namespace {

class ArrowRowWriter final : public ArrowRows {
 public:
  ArrowRowWriter(const Schema& schema, RandomSource& random) : schema_(schema), random_(random) {
    for (const Column& column : schema.columns()) columns_.emplace_back(column);
  }

  absl::Status WriteRow(std::span<const std::uint32_t> codes) override {
    CHECK(codes.size() == columns_.size());
    for (std::size_t i = 0; i < codes.size(); ++i) columns_[i].Append(codes[i], random_);
    ++rows_;
    return absl::OkStatus();
  }

  absl::Status WriteRows(const Table& table) override {
    CHECK(table.domain() == schema_.domain());
    EndBatch();
    KeepValuesOnce();
    AppendKeptColumns(table);
    DrawRows(table);
    rows_ = static_cast<std::int64_t>(table.rows());
    EndBatch();
    return absl::OkStatus();
  }

  absl::Status Finish() override {
    EndBatch();
    return absl::OkStatus();
  }

  void Export(ArrowArrayStream& out) const override {
    std::vector<FieldParts> fields;
    for (const ColumnBuilder& column : columns_) fields.push_back(column.field());
    std::vector<ArrowOwner<ArrowArray>> batches;
    for (const auto& batch : batches_) batches.push_back(ShareArray(batch));
    ExportStream(TableField(std::move(fields)), std::move(batches), out);
  }

 private:
  void EndBatch() {
    if (rows_ == 0) return;
    std::vector<ArrowOwner<ArrowArray>> arrays;
    for (ColumnBuilder& column : columns_) arrays.push_back(column.TakeArray());
    batches_.push_back(
        std::make_shared<const ArrowOwner<ArrowArray>>(ExportBatch(std::exchange(rows_, 0), std::move(arrays))));
  }

  void KeepValuesOnce() {
    if (std::exchange(keeps_values_, true)) return;
    for (ColumnBuilder& column : columns_) {
      if (!column.DrawsEachValue()) column.KeepValues(random_);
    }
  }

  void AppendKeptColumns(const Table& table) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].DrawsEachValue()) continue;
      std::visit(
          [&](auto codes) {
            for (const std::uint32_t code : codes) columns_[i].AppendKept(code);
          },
          table.column(static_cast<AttributeIndex>(i)));
    }
  }

  // Row by row, as a file is written.
  void DrawRows(const Table& table) {
    std::vector<std::pair<ColumnBuilder*, CodeSpan>> drawn;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].DrawsEachValue()) drawn.emplace_back(&columns_[i], table.column(static_cast<AttributeIndex>(i)));
    }
    for (std::size_t row = 0; row < table.rows() && !drawn.empty(); ++row) {
      for (const auto& [column, codes] : drawn) {
        column->Append(std::visit([row](auto span) { return std::uint32_t{span[row]}; }, codes), random_);
      }
    }
  }

  const Schema& schema_;
  RandomSource& random_;
  std::vector<ColumnBuilder> columns_;
  std::vector<std::shared_ptr<const ArrowOwner<ArrowArray>>> batches_;
  std::int64_t rows_ = 0;
  bool keeps_values_ = false;
};

}  // namespace

std::unique_ptr<ArrowRows> ArrowWriter(const Schema& schema, RandomSource& random) {
  return std::make_unique<ArrowRowWriter>(schema, random);
}

}  // namespace flaim
