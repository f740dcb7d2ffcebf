# Installs playwright-core into the build folder, once, and runs the test of the status page:
# cmake -D SERVER=... -D SOURCE=... -D PACKAGES=... [-D SCREENSHOTS=...] -P run.cmake
foreach(program node npm chromium)
  find_program(${program}_program ${program})
  if(NOT ${program}_program)
    message(FATAL_ERROR "${program} is missing: run scripts/setup test, which installs it")
  endif()
endforeach()

file(MAKE_DIRECTORY "${PACKAGES}")
file(LOCK "${PACKAGES}/lock" GUARD PROCESS)
configure_file("${SOURCE}/package.json" "${PACKAGES}/package.json" COPYONLY)
file(SHA256 "${SOURCE}/package.json" wanted)
if(EXISTS "${PACKAGES}/installed")
  file(READ "${PACKAGES}/installed" installed)
endif()
if(NOT "${installed}" STREQUAL "${wanted}")
  execute_process(
    COMMAND "${npm_program}" install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error
    WORKING_DIRECTORY "${PACKAGES}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "npm could not install playwright-core; is its registry reachable?")
  endif()
  file(WRITE "${PACKAGES}/installed" "${wanted}")
endif()
file(LOCK "${PACKAGES}/lock" RELEASE)

execute_process(
  COMMAND "${node_program}" "${SOURCE}/status_page_test.js" "${SERVER}" "${chromium_program}" "${PACKAGES}" ${SCREENSHOTS}
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the status page is not as it should be")
endif()
