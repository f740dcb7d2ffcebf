#include "federation/availability.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

absl::Status CheckRate(double rate) {
  if (rate >= 0 && rate <= 1) return absl::OkStatus();
  return InvalidArgument("a participation rate of {} is not between 0 and 1", rate);
}

absl::Status CheckTrace(const Trace& trace, std::size_t clients) {
  for (std::size_t round = 0; round < trace.rounds.size(); ++round) {
    for (const ClientIndex client : trace.rounds[round]) {
      if (client < clients) continue;
      return InvalidArgument("round {} of the trace has client {}, but there are clients 0 to {} only", round + 1,
                             client, clients - 1);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AvailabilitySchedule> AvailabilitySchedule::Create(Availability availability, std::size_t clients) {
  if (clients == 0) return InvalidArgument("a federation needs at least one client");
  if (const auto* poisson = std::get_if<Poisson>(&availability)) RETURN_IF_ERROR(CheckRate(poisson->rate));
  if (const auto* turns = std::get_if<TakingTurns>(&availability)) RETURN_IF_ERROR(CheckRate(turns->rate));
  if (auto* trace = std::get_if<Trace>(&availability)) {
    RETURN_IF_ERROR(CheckTrace(*trace, clients));
    for (std::vector<ClientIndex>& round : trace->rounds) {
      std::sort(round.begin(), round.end());
      round.erase(std::unique(round.begin(), round.end()), round.end());
    }
  }
  return AvailabilitySchedule(std::move(availability), clients);
}

AvailabilitySchedule::AvailabilitySchedule(Availability availability, std::size_t clients)
    : availability_(std::move(availability)), clients_(clients) {}

std::vector<ClientIndex> AvailabilitySchedule::Turn(double rate, RandomSource& random) {
  // A hair is forgiven, so that ten turns of a tenth each are a whole.
  const auto is_whole = [&](double turns) { return turns * rate >= 1 - 1e-9; };
  if (order_.empty() || is_whole(turns_taken_)) {
    order_.resize(clients_);
    std::iota(order_.begin(), order_.end(), ClientIndex{0});
    for (std::size_t left = clients_; left > 1; --left) std::swap(order_[left - 1], order_[random.NextBelow(left)]);
    turns_taken_ = 0;
  }
  const auto position = [&](double turns) {
    if (is_whole(turns)) return clients_;
    return static_cast<std::size_t>(std::floor(turns * rate * static_cast<double>(clients_) + 1e-6));
  };
  const std::size_t begin = position(turns_taken_);
  const std::size_t end = position(++turns_taken_);
  std::vector<ClientIndex> present(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                                   order_.begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(present.begin(), present.end());
  return present;
}

std::vector<ClientIndex> AvailabilitySchedule::Next(RandomSource& random) {
  const std::size_t round = round_++;
  std::vector<ClientIndex> present;
  if (const auto* poisson = std::get_if<Poisson>(&availability_)) {
    for (ClientIndex client = 0; client < clients_; ++client) {
      if (random.NextUnit() < poisson->rate) present.push_back(client);
    }
  } else if (const auto* turns = std::get_if<TakingTurns>(&availability_)) {
    present = Turn(turns->rate, random);
  } else if (const auto* trace = std::get_if<Trace>(&availability_)) {
    if (round < trace->rounds.size()) present = trace->rounds[round];
  } else {
    present.resize(clients_);
    std::iota(present.begin(), present.end(), ClientIndex{0});
  }
  return present;
}

absl::StatusOr<Trace> ParseTrace(const std::string& text, const std::string& source) {
  Trace trace;
  std::istringstream lines(text);
  std::string line;
  for (std::int64_t number = 1; std::getline(lines, line); ++number) {
    const std::size_t comment = line.find('#');
    if (comment == 0) continue;
    std::istringstream words(line.substr(0, comment));
    std::vector<ClientIndex>& round = trace.rounds.emplace_back();
    for (std::string word; words >> word;) {
      ClientIndex client = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), client);
      if (error != std::errc() || end != word.data() + word.size()) {
        return InvalidArgument("{}, line {}: a client is a number from 0, and not what stands there", source, number);
      }
      round.push_back(client);
    }
  }
  if (trace.rounds.empty()) return InvalidArgument("{} has no round: give one line for each, with its clients", source);
  return trace;
}

}  // namespace flaim
