// A program that says itself what ThreadSanitizer is to do.
extern "C" const char* __tsan_default_options() {
  return "exitcode=9:print_suppressions=1";
}
extern "C" const char* __tsan_default_suppressions() {
  return "# one of the two\nrace:known\n";
}

#include "two_callers.cpp"
