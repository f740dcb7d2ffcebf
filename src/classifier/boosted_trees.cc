#include "classifier/boosted_trees.h"

#include <xgboost/c_api.h>

#include <limits>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "fmt/format.h"

namespace flaim {
namespace {

absl::Status StatusOf(int result) {
  if (result == 0) return absl::OkStatus();
  return absl::InternalError(fmt::format("XGBoost failed: {}", XGBGetLastError()));
}

class Matrix {
 public:
  static absl::StatusOr<Matrix> Create(const FeatureMatrix& features) {
    Matrix matrix;
    RETURN_IF_ERROR(StatusOf(XGDMatrixCreateFromMat(features.values.data(), features.rows, features.columns,
                                                    std::numeric_limits<float>::quiet_NaN(), &matrix.handle_)));
    return matrix;
  }
  Matrix(Matrix&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Matrix& operator=(Matrix&&) = delete;
  ~Matrix() {
    if (handle_ != nullptr) XGDMatrixFree(handle_);
  }

  DMatrixHandle handle() const { return handle_; }

  absl::Status SetClasses(std::span<const std::uint32_t> class_of_row) const {
    const std::vector<float> labels(class_of_row.begin(), class_of_row.end());
    return StatusOf(XGDMatrixSetFloatInfo(handle_, "label", labels.data(), labels.size()));
  }

 private:
  Matrix() = default;

  DMatrixHandle handle_ = nullptr;
};

// The setting belongs to the calling thread.
absl::Status Silence() { return StatusOf(XGBSetGlobalConfig(R"({"verbosity": 0})")); }

}  // namespace

struct BoostedTrees::Booster {
  Booster(BoosterHandle booster_handle, int booster_classes) : handle(booster_handle), classes(booster_classes) {}
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;
  ~Booster() { XGBoosterFree(handle); }

  absl::Status Set(const char* name, const std::string& value) const {
    return StatusOf(XGBoosterSetParam(handle, name, value.c_str()));
  }

  BoosterHandle handle;
  int classes;
};

BoostedTrees::BoostedTrees(std::unique_ptr<Booster> booster) : booster_(std::move(booster)) {}
BoostedTrees::BoostedTrees(BoostedTrees&&) noexcept = default;
BoostedTrees& BoostedTrees::operator=(BoostedTrees&&) noexcept = default;
BoostedTrees::~BoostedTrees() = default;

absl::StatusOr<BoostedTrees> BoostedTrees::Train(const FeatureMatrix& features,
                                                 std::span<const std::uint32_t> class_of_row, int classes,
                                                 const BoostedTreesOptions& options) {
  CHECK(features.rows == class_of_row.size() && features.rows > 0 && features.columns > 0 && classes >= 2);
  RETURN_IF_ERROR(Silence());
  ASSIGN_OR_RETURN(const Matrix matrix, Matrix::Create(features));
  RETURN_IF_ERROR(matrix.SetClasses(class_of_row));
  const DMatrixHandle cached[] = {matrix.handle()};
  BoosterHandle handle = nullptr;
  RETURN_IF_ERROR(StatusOf(XGBoosterCreate(cached, 1, &handle)));
  auto booster = std::make_unique<Booster>(handle, classes);
  RETURN_IF_ERROR(booster->Set("nthread", "1"));
  RETURN_IF_ERROR(booster->Set("seed", "0"));
  RETURN_IF_ERROR(booster->Set("tree_method", "hist"));
  RETURN_IF_ERROR(booster->Set("max_depth", fmt::format("{}", options.depth)));
  RETURN_IF_ERROR(booster->Set("objective", classes == 2 ? "binary:logistic" : "multi:softprob"));
  if (classes > 2) RETURN_IF_ERROR(booster->Set("num_class", fmt::format("{}", classes)));
  for (int tree = 0; tree < options.trees; ++tree) {
    RETURN_IF_ERROR(StatusOf(XGBoosterUpdateOneIter(booster->handle, tree, matrix.handle())));
  }
  return BoostedTrees(std::move(booster));
}

absl::StatusOr<std::vector<std::vector<double>>> BoostedTrees::Scores(const FeatureMatrix& features) {
  constexpr const char* kProbabilities =
      R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true})";
  RETURN_IF_ERROR(Silence());
  ASSIGN_OR_RETURN(const Matrix matrix, Matrix::Create(features));
  bst_ulong const* shape = nullptr;
  bst_ulong dimensions = 0;
  float const* probabilities = nullptr;
  RETURN_IF_ERROR(StatusOf(XGBoosterPredictFromDMatrix(booster_->handle, matrix.handle(), kProbabilities, &shape,
                                                       &dimensions, &probabilities)));
  const bool is_binary = booster_->classes == 2;
  const std::size_t outputs = is_binary ? 1 : static_cast<std::size_t>(booster_->classes);
  CHECK(dimensions == 2 && shape[0] == features.rows && shape[1] == outputs);
  std::vector<std::vector<double>> scores(static_cast<std::size_t>(booster_->classes),
                                          std::vector<double>(features.rows));
  for (std::size_t row = 0; row < features.rows; ++row) {
    if (is_binary) {
      scores[1][row] = static_cast<double>(probabilities[row]);
      scores[0][row] = -scores[1][row];
      continue;
    }
    for (std::size_t output = 0; output < outputs; ++output) {
      scores[output][row] = static_cast<double>(probabilities[row * outputs + output]);
    }
  }
  return scores;
}

}  // namespace flaim
