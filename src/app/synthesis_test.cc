#include "app/synthesis.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_tables::DomainOfSizes;

TEST(SwapCliquesFor, AreThoseOfTheWorkloadInWords) {
  const Domain domain = DomainOfSizes({2, 3, 300, 300});
  EXPECT_THAT(SwapCliquesFor(domain, "all:1").value(), ElementsAre(Clique({0}), Clique({1}), Clique({2}), Clique({3})));
  EXPECT_THAT(SwapCliquesFor(domain, "all:3").value(), ElementsAre(Clique({0, 1, 2}), Clique({0, 1, 3})));
}

TEST(SwapCliquesFor, SuitTheDomainWithoutAWord) {
  EXPECT_THAT(SwapCliquesFor(DomainOfSizes({2, 3}), "").value(), ElementsAre(Clique({0, 1})));
}

TEST(SwapCliquesFor, RefuseAWorkloadOfLargeMarginalsAlone) {
  const absl::Status status = SwapCliquesFor(DomainOfSizes({300, 300}), "all:2").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("65536 cells"));
}

TEST(SwapCliquesFor, PassOnWhatIsWrongWithAWorkload) {
  EXPECT_FALSE(SwapCliquesFor(DomainOfSizes({2, 3}), "all:").ok());
}

}  // namespace
}  // namespace flaim
