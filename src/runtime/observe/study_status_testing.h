#pragma once

#include "base/random_source.h"
#include "runtime/observe/study_status.h"

namespace flaim::runtime::testing_support {

// A study in its eighth round of ten, with so many sites, the third of which is gone.
StudyStatus ExampleStatus(int sites);

// Anything that can be written and read again: odd texts, extreme numbers, and as many of everything as chance has it.
StudyStatus RandomStatus(RandomSource& random);

}  // namespace flaim::runtime::testing_support
