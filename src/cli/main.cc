#include <iostream>

#include "cli/command_line.h"

int main(int argc, char** argv) {
  flaim::Console console(std::cout, std::cerr);
  return flaim::RunCommandLine(argc, argv, console);
}
