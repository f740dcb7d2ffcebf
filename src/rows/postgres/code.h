#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flaim {

// A column as SQL sees it. A value's text is what COPY writes, and NULL's is empty.
struct PostgresColumn {
  std::string name;
  std::string field;       // what COPY takes
  std::string text;        // the value's text
  std::string order;       // what its values are sorted by; values with the same text are equal in it
  std::string order_type;  // of that, for a list of such values
};

// How a database computes the codes of one column by itself: in its own order the column's values fall into runs of one
// code each, and the run of a value is found by bisection among the first values of all runs. Exact by construction,
// because each value that the table holds was encoded here once; no edge of a bin is ever translated into SQL.
//
// Where that does not work (values that are equal in the order, such as 1.0 and 1.00, have different codes, or there
// are more than kMaxRuns), the values themselves come back, to be encoded here.
//
// Values that do not fit the schema are known apart, so that the database can leave their rows out.
class PostgresCode {
 public:
  static constexpr std::size_t kMaxRuns = std::size_t{1} << 16;

  // Of the value that follows in the order. NULL comes last.
  enum class Rank { kAbove, kEqual, kNull };
  struct Value {
    std::string_view text;
    std::uint32_t code;
    bool fits;
  };
  void Add(const Value& value, Rank rank);

  // What stands for a value in an answer, as SQL. It is never NULL and never empty.
  std::string Sql(const PostgresColumn& column) const;

  // A condition in SQL: the value fits. Nothing if all values do.
  std::optional<std::string> FitsSql(const PostgresColumn& column) const;

  // What an answer says: a code, or the text of a value. Neither if it is none that the database could give.
  struct Answer {
    std::optional<std::uint32_t> code;
    std::optional<std::string_view> text;
  };
  Answer Read(std::string_view answer) const;

 private:
  struct Run {
    std::string first;
    std::uint32_t code;
    bool fits;
  };

  std::vector<Run> runs_;
  std::vector<std::string> unfit_texts_;
  std::optional<std::uint32_t> null_code_;
  bool null_fits_ = true;
  bool has_runs_ = true;
};

}  // namespace flaim
