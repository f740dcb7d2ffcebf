#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/report/results_view.h"
#include "experiments/result_log.h"

namespace flaim {

// Made-up experiments in the shape of the paper's, with numbers near the paper's: for tests of reports, and to look at.

// Seven datasets, eight methods of which two are ours, one is central; the paper's numbers; a failed run, a method with
// fewer seeds, runs still to come, and a method that only the paper has.
ExperimentResults FakeManyDatasets(int seeds);
// A line plot in panels: error by epsilon, with central AIM, which has no participation.
ExperimentResults FakeByEpsilon(int seeds);
// By participation, which central AIM does not have.
ExperimentResults FakeByParticipation(int seeds);
// By rounds, some of them annealed; tables of overhead and ratio.
ExperimentResults FakeByRounds(int seeds);
// Annealed only, ranks by epsilon.
ExperimentResults FakeRanks(int seeds);
// Runs without a method: only partitions.
ExperimentResults FakeHeterogeneity(int seeds);

// Adds a planned run and, unless `results` is null, what came out of it.
void AddRun(ExperimentResults& experiment, const std::string& method, const RunSettings& settings,
            const nlohmann::ordered_json& results, const std::string& failure = "");

// A run for views, without a plan.
ViewedRun MakeViewedRun(std::string method, nlohmann::ordered_json settings, nlohmann::ordered_json results);

}  // namespace flaim
