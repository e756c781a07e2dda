# include(growth.cmake) after project(): `cmake --build build --target looplaw-diff` compares the
# sources with LOOPLAW_BASE, and `ctest -R looplaw-diff` does so as a test.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(LOOPLAW_BASE "HEAD" CACHE STRING "Revision that looplaw diff compares with")
find_program(LOOPLAW looplaw)
if(LOOPLAW)
  set(looplaw_diff ${LOOPLAW} diff --base ${LOOPLAW_BASE} --undecided pass
      --compile-commands ${CMAKE_BINARY_DIR}/compile_commands.json)
  add_custom_target(looplaw-diff COMMAND ${looplaw_diff}
                    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM)
  add_test(NAME looplaw-diff COMMAND ${looplaw_diff} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endif()
