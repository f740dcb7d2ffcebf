#include "algorithms/methods/presets.h"

#include <string>

#include "fmt/format.h"

namespace flaim {

const std::vector<Method>& AllMethods() {
  static const auto& methods = *new std::vector<Method>{
      Aim(),         AimOfPaper(),    DistAim(),   NaiveFlaim(),     AugFlaimOracle(), AugFlaimPrivate(),
      FlaimRandom(), FedNaiveBayes(), FlaimOnce(), FlaimOnceJoint(), DistAimOnce()};
  return methods;
}

absl::StatusOr<Method> FindMethod(std::string_view name) {
  std::string names;
  for (const Method& method : AllMethods()) {
    if (method.name == name) return method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  }
  return absl::NotFoundError(fmt::format("there is no method '{}'; there are {}", std::string(name), names));
}

}  // namespace flaim
