#include "classifier/classifier_auc.h"
#include "data/rows/real_data_testing.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// What a classifier reaches on real rows: no synthetic rows should do better.
TEST(ClassifierAucSlow, OfRealAdultIsThatOfTheLiterature) {
  SKIP_IF_ABSENT("reference/adult/train.csv.xz");
  const Schema schema = LoadSchema(DataPath("reference/adult/domain.json")).value();
  const Table train = ReadTableWithNumbers(DataPath("reference/adult/train.csv.xz"), schema, "client_id")->table;
  const Table test = ReadTable(DataPath("reference/adult/test.csv.xz"), schema).value();
  const ClassifierScore score = ScoreClassifier(train, test, schema.domain().Find("income>50K").value()).value();
  EXPECT_NEAR(score.auc, 0.92, 0.01);
}

}  // namespace
}  // namespace flaim
