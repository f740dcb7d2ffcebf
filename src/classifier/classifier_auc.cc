#include "classifier/classifier_auc.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "base/status.h"
#include "classifier/boosted_trees.h"
#include "classifier/roc_auc.h"
#include "data/table/column_codes.h"

namespace flaim {
namespace {

FeatureMatrix FeaturesOf(const Table& table, AttributeIndex label) {
  FeatureMatrix features;
  features.rows = table.rows();
  features.columns = static_cast<std::size_t>(table.domain().size()) - 1;
  features.values.resize(features.rows * features.columns);
  std::size_t position = 0;
  for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
    if (attribute == label) continue;
    std::visit(
        [&](auto codes) {
          for (std::size_t row = 0; row < codes.size(); ++row) {
            features.values[row * features.columns + position] = static_cast<float>(codes[row]);
          }
        },
        table.column(attribute));
    ++position;
  }
  return features;
}

// The classes that some rows have, ascending.
std::vector<std::uint32_t> Distinct(std::vector<std::uint32_t> classes) {
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

// The position of each class in the list, or the length of the list.
std::vector<std::uint32_t> PositionsIn(const std::vector<std::uint32_t>& list, std::vector<std::uint32_t> classes) {
  for (std::uint32_t& found : classes) {
    const auto place = std::lower_bound(list.begin(), list.end(), found);
    const bool is_listed = place != list.end() && *place == found;
    found = static_cast<std::uint32_t>(is_listed ? place - list.begin() : std::ssize(list));
  }
  return classes;
}

absl::Status CheckTables(const Table& train, const Table& test, AttributeIndex label) {
  CHECK(label >= 0 && label < test.domain().size());
  if (train.domain() != test.domain()) {
    return InvalidArgument("the training and the test rows have different columns or codes; use one schema for both");
  }
  if (test.domain().size() < 2) return InvalidArgument("there is no column beside the label to predict it from");
  if (train.rows() == 0) return InvalidArgument("there are no rows to train a classifier on; draw at least one");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ClassifierScore> ScoreClassifier(const Table& train, const Table& test, AttributeIndex label,
                                                const ClassifierOptions& options) {
  RETURN_IF_ERROR(CheckTables(train, test, label));
  const std::vector<std::uint32_t> class_of_training_row = CodesOf(train, label);
  const std::vector<std::uint32_t> class_of_test_row = CodesOf(test, label);
  const std::vector<std::uint32_t> trained = Distinct(class_of_training_row);
  const std::vector<std::uint32_t> tested = Distinct(class_of_test_row);
  if (tested.size() < 2) {
    return InvalidArgument("the test rows have fewer than two classes, so there is nothing to tell apart; use more");
  }
  const std::vector<std::uint32_t> column_of_tested = PositionsIn(trained, tested);
  ClassifierScore score{.auc = 0.5, .tested_classes = static_cast<int>(tested.size()), .untrained_classes = 0};
  score.untrained_classes = static_cast<int>(
      std::count(column_of_tested.begin(), column_of_tested.end(), static_cast<std::uint32_t>(trained.size())));
  if (trained.size() < 2) return score;

  ASSIGN_OR_RETURN(BoostedTrees trees,
                   BoostedTrees::Train(FeaturesOf(train, label), PositionsIn(trained, class_of_training_row),
                                       static_cast<int>(trained.size()), {options.trees, options.depth}));
  ASSIGN_OR_RETURN(std::vector<std::vector<double>> scores_of_trained, trees.Scores(FeaturesOf(test, label)));
  scores_of_trained.emplace_back(test.rows());  // of a class that was not trained
  std::vector<std::vector<double>> scores;
  for (const std::uint32_t column : column_of_tested) scores.push_back(scores_of_trained[column]);
  ASSIGN_OR_RETURN(score.auc, OneVersusOneAuc(scores, PositionsIn(tested, class_of_test_row)));
  return score;
}

absl::StatusOr<double> ClassifierAuc(const Table& train, const Table& test, AttributeIndex label,
                                     const ClassifierOptions& options) {
  ASSIGN_OR_RETURN(const ClassifierScore score, ScoreClassifier(train, test, label, options));
  return score.auc;
}

std::function<absl::StatusOr<double>(const Table& train)> ClassifierAucOn(const Table& test, AttributeIndex label) {
  return [&test, label](const Table& train) { return ClassifierAuc(train, test, label); };
}

}  // namespace flaim
