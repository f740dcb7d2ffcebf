#include "experiments/crew.h"

#include <cstdlib>

#include "base/status.h"
#include "experiments/process_crew.h"

namespace flaim {

bool IsStartedByMpi() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

absl::StatusOr<std::unique_ptr<Crew>> MpiCrew() {
#ifdef FLAIM_MPI
  return ProcessCrew();
#else
  return FailedPrecondition(
      "this flaim was built without MPI: build it with cmake -D FLAIM_MPI=ON, or leave out mpirun");
#endif
}

}  // namespace flaim
