# Makes WORK, a copy of the Python PACKAGE in which the one occurrence of FIND in ORIGINAL is REPLACEd, and passes when the
# TESTS of SCRIPT fail on it.
file(REMOVE_RECURSE "${WORK}")
file(COPY "${PACKAGE}/" DESTINATION "${WORK}" PATTERN __pycache__ EXCLUDE)
file(RELATIVE_PATH changed "${PACKAGE}" "${ORIGINAL}")
set(MUTANT "${WORK}/${changed}")
include("${CMAKE_CURRENT_LIST_DIR}/mutate.cmake")
set(PROGRAM "${WORK}")
include("${CMAKE_CURRENT_LIST_DIR}/expect_red.cmake")
