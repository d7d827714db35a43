// HEDDLE_CHECK guards an invariant of the tool and stays on in release builds.
#pragma once

#include <cstdio>
#include <cstdlib>

// Exit code 3 is "heddle itself failed".
#define HEDDLE_CHECK(condition)                                                                         \
  do {                                                                                                  \
    if (!(condition)) [[unlikely]] {                                                                    \
      std::fprintf(stderr, "heddle: internal error: %s does not hold at %s:%d\n", #condition, __FILE__, \
                   __LINE__);                                                                           \
      std::_Exit(3);                                                                                    \
    }                                                                                                   \
  } while (false)
