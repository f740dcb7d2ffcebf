#include "data/schema/column.h"

#include "base/seeded_random_source.h"
#include "data/schema/random_schema_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kMissing = {""};

ColumnSpec Age() { return {"age", *IntegerType::Create({0, 9, {}, {}}), false, false, std::nullopt}; }

TEST(Column, EncodesWhatItDecodedForEveryCodeOfRandomColumns) {
  SeededRandomSource random(11);
  for (int round = 0; round < 3000; ++round) {
    const Column column = *Column::Create(RandomColumn("x", random), kMissing);
    for (std::uint32_t code = 0; code < column.size(); ++code) {
      std::string text;
      column.Decode(code, random, text);
      ASSERT_EQ(column.Encode(text), (Encoded{code})) << NameOf(column.spec().type) << " " << text;
    }
  }
}

TEST(Column, NullableAddsTheLastCode) {
  SeededRandomSource random(1);
  ColumnSpec spec = Age();
  spec.nullable = true;
  spec.missing = {"?", "NA"};
  const Column column = *Column::Create(spec, kMissing);
  EXPECT_EQ(column.size(), 11U);
  EXPECT_EQ(column.Encode("NA"), (Encoded{10}));
  EXPECT_EQ(column.Encode("").outcome, EncodeOutcome::kMalformed) << "its own list replaces the schema's";
  std::string text;
  column.Decode(10, random, text);
  EXPECT_EQ(text, "?");
}

TEST(Column, ReportsAMissingValueWhereNoneIsAllowed) {
  const Column column = *Column::Create(Age(), kMissing);
  EXPECT_EQ(column.Encode("").outcome, EncodeOutcome::kMissing);
  EXPECT_THAT(column.Explain("", EncodeOutcome::kMissing), HasSubstr("nullable = true"));
}

TEST(Column, ClampsOnlyWhenAsked) {
  ColumnSpec spec = Age();
  EXPECT_EQ(Column::Create(spec, kMissing)->Encode("12").outcome, EncodeOutcome::kAbove);
  spec.clamp = true;
  EXPECT_EQ(Column::Create(spec, kMissing)->Encode("12"), (Encoded{9}));
  EXPECT_EQ(Column::Create(spec, kMissing)->Encode("-12"), (Encoded{0}));
  EXPECT_EQ(Column::Create(spec, kMissing)->Encode("x").outcome, EncodeOutcome::kMalformed);
}

TEST(Column, SendsUnknownCategoriesToOther) {
  const ColumnSpec spec{"c", *CategoricalType::Create({{"a"}, "rest"}), false, false, std::nullopt};
  EXPECT_EQ(Column::Create(spec, kMissing)->Encode("b"), (Encoded{1}));
}

TEST(Column, AMarkerOutsideTheBoundsWinsOverClamping) {
  ColumnSpec spec = Age();
  spec.clamp = true;
  spec.nullable = true;
  spec.missing = {"999"};
  EXPECT_EQ(Column::Create(spec, kMissing)->Encode("999"), (Encoded{10}));
}

TEST(Column, RefusesAMarkerThatIsAlsoAValue) {
  ColumnSpec spec = Age();
  spec.nullable = true;
  spec.missing = {"7"};
  EXPECT_THAT(Column::Create(spec, kMissing).status().message(),
              HasSubstr("column 'age' is nullable, and '7' is both"));
  const ColumnSpec country{"country", *CategoricalType::Create({{"NA", "DE"}, {}}), true, false, std::nullopt};
  EXPECT_FALSE(Column::Create(country, {"NA"}).ok());
}

TEST(Column, RefusesWhatCannotWork) {
  ColumnSpec spec = Age();
  spec.name = "";
  EXPECT_FALSE(Column::Create(spec, kMissing).ok());
  spec.name = "caf\xe9";
  EXPECT_THAT(Column::Create(spec, kMissing).status().message(), HasSubstr("UTF-8"));
  spec = Age();
  spec.nullable = true;
  EXPECT_FALSE(Column::Create(spec, {}).ok());
  const ColumnSpec clamped{"c", *CategoricalType::Create({{"a"}, {}}), false, true, std::nullopt};
  EXPECT_THAT(Column::Create(clamped, kMissing).status().message(), HasSubstr("'clamp'"));
}

TEST(Column, ExplanationsSayWhatToDo) {
  const Column column = *Column::Create(Age(), kMissing);
  EXPECT_THAT(column.Explain("12", EncodeOutcome::kAbove), HasSubstr("raise 'max' in the schema, or set clamp = true"));
  EXPECT_THAT(column.Explain("-1", EncodeOutcome::kBelow), HasSubstr("lower 'min'"));
  EXPECT_THAT(column.Explain("q", EncodeOutcome::kNotListed), HasSubstr("'other'"));
  EXPECT_THAT(column.Explain("x\n", EncodeOutcome::kMalformed), HasSubstr("'x\\n' is not a whole number"));
}

}  // namespace
}  // namespace flaim
