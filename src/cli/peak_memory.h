#pragma once

namespace flaim {

// From here on, PeakMegabytes() is the highest resident memory of the program, what it holds already included.
void RestartPeakMemory();
double PeakMegabytes();

}  // namespace flaim
