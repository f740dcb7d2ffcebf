#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flaim/result.h"

namespace flaim::api {

// A column of a domain: its values are the codes 0 to size - 1.
struct Attribute {
  std::string name;
  std::int64_t size;
};

// A noisy marginal. How the noise came about, and what it costs, is the caller's business: nothing is paid for here.
struct NoisyMarginal {
  std::vector<std::string> columns;
  std::vector<double> values;  // row-major, the columns in the order of the domain, whatever their order here
  double variance = 1;         // of the noise in each cell
};

// The distribution over all records of a domain that fits noisy marginals best: a graphical model over their columns,
// found by least squares. Immutable; safe to use from many threads.
class Distribution {
 public:
  Distribution(Distribution&&) noexcept;
  Distribution& operator=(Distribution&&) noexcept;
  ~Distribution();

  // The number of records, from all marginals together.
  double records() const;
  // As for a Model (model.h): also of columns that no marginal had together.
  Result<std::vector<double>> Marginal(const std::vector<std::string>& columns) const;

  struct Parts;
  explicit Distribution(std::unique_ptr<Parts> parts);

 private:
  std::unique_ptr<Parts> parts_;
};

// Refuses a column that there is not, values of the wrong number or not finite, a variance that is not positive, no
// marginals at all, and a model of more than `max_cells` cells.
Result<Distribution> Estimate(const std::vector<Attribute>& domain, const std::vector<NoisyMarginal>& marginals,
                              std::int64_t max_cells = std::int64_t{1} << 24);

}  // namespace flaim::api
