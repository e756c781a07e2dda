# include(growth.cmake) after project(): `cmake --build build --target looplaw-diff` compares the
# sources with LOOPLAW_BASE, and `ctest -R looplaw-diff` does so as a test.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(LOOPLAW_BASE "" CACHE STRING "Revision to compare with; empty: the merge base with origin/HEAD")
find_program(LOOPLAW looplaw)
set(looplaw_base "${LOOPLAW_BASE}")
if(NOT looplaw_base)
  execute_process(COMMAND git merge-base HEAD origin/HEAD WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                  OUTPUT_VARIABLE looplaw_base OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT looplaw_base)
  set(looplaw_base HEAD)
endif()
if(LOOPLAW)
  set(looplaw_diff ${LOOPLAW} diff --base ${looplaw_base} --undecided pass
      --compile-commands ${CMAKE_BINARY_DIR}/compile_commands.json)
  add_custom_target(looplaw-diff COMMAND ${looplaw_diff}
                    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM)
  add_test(NAME looplaw-diff COMMAND ${looplaw_diff} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endif()
