# Sets CAOS_PYTHON to the first Python on the machine that has NumPy. Debian's own comes first, as
# others on the PATH often lack it.
find_program(CAOS_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(CAOS_PATH_PYTHON NAMES python3 python)
mark_as_advanced(CAOS_SYSTEM_PYTHON CAOS_PATH_PYTHON)

foreach(candidate IN ITEMS "${CAOS_SYSTEM_PYTHON}" "${CAOS_PATH_PYTHON}")
  if(candidate AND NOT CAOS_PYTHON)
    execute_process(COMMAND ${candidate} -c "import numpy"
      RESULT_VARIABLE failure OUTPUT_QUIET ERROR_QUIET)
    if(failure EQUAL 0)
      set(CAOS_PYTHON ${candidate})
    endif()
  endif()
endforeach()

if(NOT CAOS_PYTHON)
  message(FATAL_ERROR
    "The Python package and the tests of the program need Python 3 with NumPy, and no python3 here has "
    "it. Install the Debian package python3-numpy (tools/setup --python does), or configure with "
    "-DCAOS_PYTHON_PACKAGE=OFF -DCAOS_TESTS=OFF.")
endif()
