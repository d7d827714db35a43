// What functions do that are not in the program: libc, pthread, libstdc++, the compiler's intrinsics.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::program {

// Arguments by position; -1: none.
struct ExternalModel {
  // False: it may keep what its arguments reach, change it, call it, and return it.
  bool is_known = false;
  bool allocates = false;      // the result is a new block
  bool writes_result = false;  // what it points to
  bool returns_outside =
      false;  // the result may point to memory of the library, or to a new block of its own
  int8_t returns_argument = -1;
  bool returns_inside = false;  // somewhere in what that argument points to
  bool links_nodes = false;     // of a tree or list: arguments come to point to each other
  int8_t copies_to = -1;        // memory, of unknown size
  int8_t copies_from = -1;
  bool reads_arguments = false;   // what they point to, and no further
  int8_t writes_argument = -1;    // what it points to; not with pointers
  bool writes_arguments = false;  // any of them
  int8_t keeps_outside = -1;  // what it points to becomes an object of the library, with pointers into itself
  int8_t called = -1;         // a function that it calls, in this thread or at the end of the program,
  int8_t called_with = -1;    // with this, and perhaps other arguments,
  int8_t element_size = -1;   // or with elements of that size of what they point to
  int8_t called_later = -1;   // a function that is called with whatever arguments, in whatever thread
  int8_t started = -1;        // a function that it calls in a new thread,
  int8_t started_with = -1;   // with this as the first argument
  bool starts_several = false;  // threads with that function
  int8_t started_object =
      -1;             // points to a pointer to an object with virtual functions: one runs in a new thread
  bool ends = false;  // does not return
};

// By the name that the linker knows.
const ExternalModel& external_model(const std::string& linkage_name);

}  // namespace heddle::program
