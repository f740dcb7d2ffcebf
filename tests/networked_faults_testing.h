#pragma once

#include <string>
#include <vector>

#include "tests/networked_testing.h"

// What holds of a networked study whatever happened in it, and the faults that are tried one after the other.
namespace flaim::runtime {

// A folder of the running test.
std::string FolderForTest();

NetworkedStudyOptions StudyOf(const std::string& preset);
NetworkedStudyOptions StudyOf(const std::string& preset, int rounds);

// To the last bit.
void ExpectSameModel(const FittedModel& one, const FittedModel& other);

// Every sum in the journal is that of its contributors; no site has paid more than its allowance; and no debit of any
// site has more than one value, nor any name.
void ExpectSoundBooks(const NetworkedStudyForTest& study);

// What a site has paid for, by name and mechanism, in order.
std::vector<std::string> PaymentsOf(const NetworkedStudyForTest& study, int site);

// Kills the coordinator at each `stride`-th step of the study, one run for each: the model is the undisturbed one, and
// every site has paid for the same things, once.
void KillTheCoordinatorAtEveryStep(const NetworkedStudyOptions& options, int stride);

// Kills one site before, during and after each `stride`-th of its messages, one run for each: there is a model, and the
// books are sound.
void KillASiteAtEveryMessage(const NetworkedStudyOptions& options, int site, int stride);

}  // namespace flaim::runtime
