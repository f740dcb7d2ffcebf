#include <csignal>
#include <iostream>

#include "cli/command_line.h"

int main(int argc, char** argv) {
  // A file that may not grow any further is an error to report, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  flaim::Console console(std::cout, std::cerr);
  return flaim::RunCommandLine(argc, argv, console);
}
