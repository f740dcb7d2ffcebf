// One private table, with the C++ library: fit, look at the promise, draw rows; then the engine and the accountant.
//
//   one_table FOLDER

#include <cstdio>
#include <fstream>
#include <string>

#include "flaim/accountant.h"
#include "flaim/engine.h"
#include "flaim/fit.h"
#include "flaim/model.h"

namespace {

using namespace flaim::api;

int Complain(const Error& error) {
  std::fprintf(stderr, "one_table: %s\n", error.message.c_str());
  return 1;
}

void WriteTable(const std::string& folder) {
  std::ofstream(folder + "/visits.toml") << R"([[column]]
name = "age"
type = "integer"
min = 0
max = 9

[[column]]
name = "smokes"
type = "categorical"
values = ["no", "yes"]
)";
  std::ofstream rows(folder + "/visits.csv");
  rows << "age,smokes\n";
  for (int i = 0; i < 2000; ++i) rows << i % 10 << (i % 10 > 5 ? ",yes\n" : ",no\n");
}

int LearnAndDraw(const std::string& folder) {
  FitRequest request;
  request.data = folder + "/visits.csv";
  request.schema = folder + "/visits.toml";
  request.epsilon = 1;
  const Result<Model> model = Fit(request);
  if (!model.ok()) return Complain(model.error());
  std::printf("a model of about %.0f records, epsilon %g, delta %g\n", model.value().records(), model.value().epsilon(),
              model.value().delta());

  const Result<std::vector<double>> smokes = model.value().Marginal({"smokes"});
  if (!smokes.ok()) return Complain(smokes.error());
  std::printf("%.0f%% smoke\n", 100 * smokes.value()[1]);

  SampleRequest old_people;
  old_people.rows = 100;
  old_people.where = {"age=6.."};
  const Result<std::uint64_t> rows = model.value().Sample(folder + "/synthetic.csv", old_people);
  if (!rows.ok()) return Complain(rows.error());
  std::printf("%d synthetic rows of the old\n", static_cast<int>(rows.value()));
  return 0;
}

int UseTheEngine() {
  const Result<Distribution> fitted = Estimate(
      {{"a", 2}, {"b", 2}, {"c", 2}},
      {{.columns = {"a", "b"}, .values = {40, 10, 10, 40}}, {.columns = {"b", "c"}, .values = {45, 5, 5, 45}}});
  if (!fitted.ok()) return Complain(fitted.error());
  const Result<std::vector<double>> across = fitted.value().Marginal({"a", "c"});
  if (!across.ok()) return Complain(across.error());
  std::printf("of columns that were never measured together: P(a = c) = %.2f\n", across.value()[0] + across.value()[3]);

  const Result<double> rho = RhoFor(1, 1e-6);
  if (!rho.ok()) return Complain(rho.error());
  std::printf("epsilon 1 at delta 1e-6 affords rho %.4f\n", rho.value());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: one_table FOLDER\n");
    return 2;
  }
  WriteTable(argv[1]);
  const int failed = LearnAndDraw(argv[1]);
  return failed != 0 ? failed : UseTheEngine();
}
