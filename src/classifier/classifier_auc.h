#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "data/table/table.h"

namespace flaim {

// Gradient-boosted trees as the paper trains them on synthetic rows (XGBoost, histograms; one thread and nothing left
// to chance, so the same rows always give the same score).
struct ClassifierOptions {
  int trees = 100;  // for each class, if there are more than two
  int depth = 4;
};

struct ClassifierScore {
  double auc = 0;
  int tested_classes = 0;     // that the test rows have; the others play no part
  int untrained_classes = 0;  // of these, those that the training rows do not have
};

// How useful training rows are: a classifier learns from them to predict `label` from all other columns, and is scored
// on test rows by the area under the ROC curve; for several classes one against one, macro average (roc_auc.h). The
// features are the codes as numbers.
//
// Classes without test rows are left out. A class without training rows has the same score in every row, so it is never
// told from another by that score. Training rows of one class only teach nothing: then the AUC is 0.5, by definition.
// Refuses tables with different domains, no training rows, and test rows of fewer than two classes.
//
// Prints nothing. Several threads may call this at once.
absl::StatusOr<ClassifierScore> ScoreClassifier(const Table& train, const Table& test, AttributeIndex label,
                                                const ClassifierOptions& options = {});

// The score's `auc` alone.
absl::StatusOr<double> ClassifierAuc(const Table& train, const Table& test, AttributeIndex label,
                                     const ClassifierOptions& options = {});

// The same, of rows to come. REQUIRES: `test` outlives what is returned.
std::function<absl::StatusOr<double>(const Table& train)> ClassifierAucOn(const Table& test, AttributeIndex label);

}  // namespace flaim
