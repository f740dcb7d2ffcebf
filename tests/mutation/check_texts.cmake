# Fails for each mutation whose text is not in its file exactly once: a mutant that cannot be made guards nothing.
#
#   cmake -P tests/mutation/check_texts.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")

function(flaim_mutation)
  cmake_parse_arguments(PARSE_ARGV 0 MUTATION "" "NAME;PROGRAM;FILE;FIND;REPLACE;SCRIPT;TESTS" "LIBRARY")
  set(text "")
  if(EXISTS "${root}/${MUTATION_FILE}")
    file(READ "${root}/${MUTATION_FILE}" text)
  endif()
  string(REPLACE "${MUTATION_FIND}" "" without "${text}")
  string(LENGTH "${text}" length)
  string(LENGTH "${without}" length_without)
  string(LENGTH "${MUTATION_FIND}" length_find)
  math(EXPR occurrences "(${length} - ${length_without}) / ${length_find}")
  if(NOT occurrences EQUAL 1)
    message(SEND_ERROR "${MUTATION_NAME}: its text occurs ${occurrences} times in ${MUTATION_FILE}")
  endif()
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/mutations.cmake")
