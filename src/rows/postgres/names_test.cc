#include "rows/postgres/names.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

TEST(QuoteIdentifier, DoublesQuotesAndKeepsTheRest) {
  EXPECT_EQ(QuoteIdentifier("Age"), "\"Age\"");
  EXPECT_EQ(QuoteIdentifier("a\"; DROP TABLE b; --"), "\"a\"\"; DROP TABLE b; --\"");
  EXPECT_EQ(QuoteIdentifier("größe\n"), "\"größe\n\"");
}

TEST(QuoteLiteral, DoublesQuotesAndSaysWhereBackslashesAreEscaped) {
  EXPECT_EQ(QuoteLiteral("it's"), "'it''s'");
  EXPECT_EQ(QuoteLiteral("\t"), "'\t'");
  EXPECT_EQ(QuoteLiteral("\\'"), "E'\\\\'''");
}

TEST(TableName, IsFoldedUnlessItIsQuoted) {
  EXPECT_EQ(ParseTableName("Patients").value(), (PostgresTableName{std::nullopt, "patients"}));
  EXPECT_EQ(ParseTableName("Clinic.Patients").value(), (PostgresTableName{"clinic", "patients"}));
  EXPECT_EQ(ParseTableName("\"Clinic\".\"a.b\"\"c\"").value(), (PostgresTableName{"Clinic", "a.b\"c"}));
  EXPECT_EQ(ToSql(ParseTableName("Clinic.\"Big \"\"T\"").value()), "\"clinic\".\"Big \"\"T\"");
  EXPECT_EQ(ToSql(ParseTableName("ÄRZTE").value()), "\"Ärzte\"") << "letters beyond ASCII stay, as in a UTF-8 server";
}

TEST(TableName, ThatIsNoneIsRefused) {
  const std::string too_long(64, 'a');
  for (const std::string& text : {std::string(), std::string("."), std::string("a."), std::string(".a"),
                                  std::string("a.b.c"), std::string("\"a"), std::string("\"\""), std::string("a\"b\""),
                                  std::string("\"a\"b"), std::string("a\0b", 3), std::string("\xff"), too_long}) {
    EXPECT_EQ(ParseTableName(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_TRUE(ParseTableName(std::string(63, 'a')).ok());
}

}  // namespace
}  // namespace flaim
