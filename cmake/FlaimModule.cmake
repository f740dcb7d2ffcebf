# One folder under src/ is one module: one library, one test program, one benchmark program.
#
#   flaim_module(NAME marginal USES base data LIBRARIES fmt::fmt)
#
# The files speak for themselves: foo_test.cc is a test, foo_slow_test.cc a slow one (label "slow"),
# foo_testing.cc helps the tests of its module, foo_benchmark.cc is a benchmark, and every other .cc belongs to the
# library. USES names the modules that the library includes; tests/architecture_test.cc holds it against the files and
# against docs/ARCHITECTURE.md.
#
# A large module has rooms, inner folders that are libraries of their own. Their tests are one program, and whoever uses
# the module links all of its rooms:
#
#   flaim_room(NAME privacy_samplers USES base privacy_numbers)
#   flaim_module(NAME privacy ROOMS numbers samplers)

# What all modules use. A module's CMakeLists.txt finds what it needs beyond that and beyond the modules below it.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(absl REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)

add_library(flaim_options INTERFACE)
target_include_directories(flaim_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_compile_options(flaim_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  # As gRPC asks for: all code must be of one kind to share a precompiled header.
  -pthread
  # ccache can only cache against a precompiled header that gcc marks in its preprocessed output.
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
# gcc 12 sees overflows in std::string that are not there once a sanitizer has rewritten the code.
if(FLAIM_WERROR AND NOT FLAIM_SANITIZE)
  target_compile_options(flaim_options INTERFACE -Werror)
endif()
if(FLAIM_SANITIZE)
  target_compile_options(flaim_options INTERFACE -fsanitize=${FLAIM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(flaim_options INTERFACE -fsanitize=${FLAIM_SANITIZE})
endif()

# One precompiled header for all libraries, and one for all test programs, whose code is of another kind (-fPIE).
file(WRITE "${CMAKE_BINARY_DIR}/pch.cc" "int main() {}\n")
add_library(flaim_pch OBJECT "${CMAKE_BINARY_DIR}/pch.cc")
target_link_libraries(flaim_pch PRIVATE flaim_options absl::status absl::statusor fmt::fmt)
target_include_directories(flaim_pch PRIVATE "${CMAKE_SOURCE_DIR}/cmake")
target_precompile_headers(flaim_pch PRIVATE <pch.h>)

if(FLAIM_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
  enable_testing()
  add_executable(flaim_test_pch "${CMAKE_BINARY_DIR}/pch.cc")
  target_link_libraries(flaim_test_pch PRIVATE flaim_options absl::status absl::statusor fmt::fmt GTest::gmock rapidcheck)
  target_include_directories(flaim_test_pch PRIVATE "${CMAKE_SOURCE_DIR}/cmake")
  target_precompile_headers(flaim_test_pch PRIVATE <test_pch.h>)
endif()
if(FLAIM_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

function(flaim_test_program target label)
  add_executable(${target} ${ARGN})
  target_precompile_headers(${target} REUSE_FROM flaim_test_pch)
  # With all that its precompiled header was compiled with.
  target_link_libraries(${target} PRIVATE
    flaim_options absl::status absl::statusor fmt::fmt GTest::gmock GTest::gtest_main rapidcheck)
  target_compile_definitions(${target} PRIVATE
    FLAIM_SOURCE_DIR="${CMAKE_SOURCE_DIR}" FLAIM_DATA_DIR="${FLAIM_DATA_DIR}")
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()

# The library of those of the sources that are not for tests, benchmarks or a program.
function(flaim_library)
  cmake_parse_arguments(LIBRARY "" "NAME" "SOURCES;USES;LIBRARIES" ${ARGN})
  set(library flaim_${LIBRARY_NAME})
  list(FILTER LIBRARY_SOURCES EXCLUDE REGEX "_(test|testing|benchmark)\\.cc$|/main\\.cc$")
  list(TRANSFORM LIBRARY_USES PREPEND flaim_)
  add_library(${library} STATIC ${LIBRARY_SOURCES})
  set_target_properties(${library} PROPERTIES UNITY_BUILD ${FLAIM_UNITY} UNITY_BUILD_BATCH_SIZE 10)
  # A kernel for several instruction sets includes itself once for each: it stays a file of its own in a unity build.
  list(FILTER LIBRARY_SOURCES INCLUDE REGEX "/kernels/")
  set_source_files_properties(${LIBRARY_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(${library} PUBLIC flaim_options ${LIBRARY_USES} absl::status absl::statusor fmt::fmt ${LIBRARY_LIBRARIES})
  target_precompile_headers(${library} REUSE_FROM flaim_pch)
endfunction()

# The room MODULE_FOLDER of the calling module, e.g. privacy_samplers.
function(flaim_room)
  cmake_parse_arguments(ROOM "" "NAME" "USES;LIBRARIES" ${ARGN})
  string(REGEX REPLACE "^[a-z]+_" "" folder ${ROOM_NAME})
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cc")
  flaim_library(NAME ${ROOM_NAME} SOURCES ${sources} USES ${ROOM_USES} LIBRARIES ${ROOM_LIBRARIES})
endfunction()

function(flaim_module)
  cmake_parse_arguments(MODULE "" "NAME" "ROOMS;USES;LIBRARIES" ${ARGN})
  set(library flaim_${MODULE_NAME})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "*.cc")
  if(MODULE_ROOMS)
    list(TRANSFORM MODULE_ROOMS PREPEND ${library}_)
    add_library(${library} INTERFACE)
    target_link_libraries(${library} INTERFACE ${MODULE_ROOMS})
  else()
    flaim_library(NAME ${MODULE_NAME} SOURCES ${sources} USES ${MODULE_USES} LIBRARIES ${MODULE_LIBRARIES})
  endif()

  set(slow_tests ${sources})
  list(FILTER slow_tests INCLUDE REGEX "_slow_test\\.cc$")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER tests EXCLUDE REGEX "_slow_test\\.cc$")
  set(test_support ${sources})
  list(FILTER test_support INCLUDE REGEX "_testing\\.cc$")
  set(benchmarks ${sources})
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")

  if(FLAIM_TESTS AND tests)
    flaim_test_program(${MODULE_NAME}_tests fast ${tests} ${test_support})
    target_link_libraries(${MODULE_NAME}_tests PRIVATE ${library})
  endif()
  if(FLAIM_TESTS AND slow_tests)
    flaim_test_program(${MODULE_NAME}_slow_tests slow ${slow_tests} ${test_support})
    target_link_libraries(${MODULE_NAME}_slow_tests PRIVATE ${library})
  endif()
  if(FLAIM_BENCHMARKS AND benchmarks)
    add_executable(${MODULE_NAME}_benchmarks ${benchmarks})
    target_link_libraries(${MODULE_NAME}_benchmarks PRIVATE ${library} benchmark::benchmark_main)
    target_compile_definitions(${MODULE_NAME}_benchmarks PRIVATE FLAIM_DATA_DIR="${FLAIM_DATA_DIR}")
    set_property(GLOBAL APPEND PROPERTY FLAIM_BENCHMARK_TARGETS ${MODULE_NAME}_benchmarks)
  endif()
endfunction()
