#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "arrow/array_view.h"
#include "arrow/values.h"
#include "base/status.h"

namespace flaim {

// Some rows of one column of a record batch, with or without a dictionary, for an encoder (CodeEncoder, NumberEncoder)
// to encode. Each value of a dictionary is encoded once, and refused only if a row uses it.
class ColumnValues {
 public:
  // Rows [begin, begin + rows) of the array, which must outlive it.
  static absl::StatusOr<ColumnValues> Create(const ArrowField& field, const ArrowArray& array, std::int64_t begin,
                                             std::int64_t rows) {
    ASSIGN_OR_RETURN(ArrayView view, ArrayView::Create(array, field.indices.value_or(field.values), begin, rows));
    ColumnValues column(view);
    if (field.indices) {
      ASSIGN_OR_RETURN(column.dictionary_, ArrayView::OfDictionary(array, field.values));
    }
    return column;
  }

  // Calls put(row, result) for the rows from 0 on, up to `limit` or to the first row that the encoder refuses. Gives
  // the row where it stopped.
  template <typename Encoder, typename Put>
  std::int64_t EncodeRows(Encoder& encoder, std::int64_t limit, const Put& put) const {
    if (!dictionary_) return EncodeEach(rows_, encoder, limit, put);
    const std::vector<typename Encoder::Result> results = EncodeDictionary(encoder);
    return VisitValues(rows_, [&](const auto& index_at) {
      for (std::int64_t row = 0; row < limit; ++row) {
        const std::optional<std::int64_t> index = IndexAt(row, index_at);
        if (index && *index == kNoIndex) return row;
        const auto result = index ? results[static_cast<std::size_t>(*index)] : encoder.Missing();
        if (!Encoder::IsAccepted(result)) [[unlikely]]
          return row;
        put(row, result);
      }
      return limit;
    });
  }

  // Why the encoder refused the row.
  template <typename Encoder>
  std::string Explain(Encoder& encoder, std::int64_t row) const {
    if (!dictionary_) return ExplainValue(rows_, encoder, row);
    const auto index = VisitValues(rows_, [&](const auto& index_at) { return IndexAt(row, index_at); });
    if (!index) return encoder.ExplainMissing();
    if (*index == kNoIndex) return "the Arrow array is broken: an index lies outside its dictionary";
    return ExplainValue(*dictionary_, encoder, *index);
  }

 private:
  static constexpr std::int64_t kNoIndex = -1;

  explicit ColumnValues(const ArrayView& rows) : rows_(rows) {}

  // Nothing for null; kNoIndex for an index that the dictionary does not have.
  template <typename IndexOfRow>
  std::optional<std::int64_t> IndexAt(std::int64_t row, const IndexOfRow& index_at) const {
    if (rows_.IsNull(row)) return std::nullopt;
    if constexpr (std::is_integral_v<decltype(index_at(row))>) {
      const auto index = static_cast<std::int64_t>(index_at(row));
      if (index >= 0 && index < dictionary_->rows()) [[likely]]
        return index;
    }
    return kNoIndex;
  }

  template <typename Encoder>
  std::vector<typename Encoder::Result> EncodeDictionary(Encoder& encoder) const {
    std::vector<typename Encoder::Result> results(static_cast<std::size_t>(dictionary_->rows()));
    VisitValues(*dictionary_, [&](const auto& value_at) {
      for (std::int64_t index = 0; index < dictionary_->rows(); ++index) {
        results[static_cast<std::size_t>(index)] =
            dictionary_->IsNull(index) ? encoder.Missing() : encoder.Encode(value_at(index));
      }
    });
    return results;
  }

  template <typename Encoder, typename Put>
  static std::int64_t EncodeEach(const ArrayView& view, Encoder& encoder, std::int64_t limit, const Put& put) {
    return VisitValues(view, [&](const auto& value_at) {
      for (std::int64_t row = 0; row < limit; ++row) {
        const auto result = view.IsNull(row) ? encoder.Missing() : encoder.Encode(value_at(row));
        if (!Encoder::IsAccepted(result)) [[unlikely]]
          return row;
        put(row, result);
      }
      return limit;
    });
  }

  template <typename Encoder>
  static std::string ExplainValue(const ArrayView& view, Encoder& encoder, std::int64_t row) {
    if (view.IsNull(row)) return encoder.ExplainMissing();
    return VisitValues(view, [&](const auto& value_at) {
      const auto value = value_at(row);
      return encoder.Explain(value, encoder.Encode(value));
    });
  }

  ArrayView rows_;
  std::optional<ArrayView> dictionary_;
};

}  // namespace flaim
