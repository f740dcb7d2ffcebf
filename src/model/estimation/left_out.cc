#include "model/estimation/left_out.h"

#include <algorithm>

namespace flaim {

std::vector<Clique> LeftOutOf(const Model& model, const FitReport& report) {
  const std::vector<Clique>& fitted = model.layout().cliques();
  std::vector<Clique> left_out;
  for (const Measurement& measured : report.measurements) {
    if (std::find(fitted.begin(), fitted.end(), measured.clique) == fitted.end()) left_out.push_back(measured.clique);
  }
  return left_out;
}

}  // namespace flaim
