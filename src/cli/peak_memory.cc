#include "cli/peak_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace flaim {

void RestartPeakMemory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  double kilobytes = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> kilobytes;
  }
  return kilobytes / 1024;
}

}  // namespace flaim
