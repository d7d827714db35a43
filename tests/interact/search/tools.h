// Small tools as tests search them: options, loops over characters, numbers.
#pragma once

namespace heddle::interact {

extern const char kFieldCutter[];  // C: -d C, -f LIST, --limit=N; lines of standard input
extern const char kCalculator[];   // C: an expression in its arguments
extern const char kWordCounter[];  // C++: templates, macros, switch, lambdas; a file or standard input

}  // namespace heddle::interact
