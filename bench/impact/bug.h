// Bug: a regression of bench/subjects/impact, built in all ways that it is looked for.
//
//   WORK/SUBJECT/repository   the commits
//   WORK/SUBJECT/store        heddle's own folder
//   WORK/SUBJECT/native       the head as its users build it
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/subject.h"
#include "execute/test_command.h"
#include "support/error.h"

namespace heddle::bench {

struct Bug {
  std::string name;
  std::string kind;  // "deadlock"
  std::string change;
  std::string test;
  std::filesystem::path repository;
  std::filesystem::path store;
  TestCommand head;                    // instrumented
  TestCommand native;                  // not
  std::vector<std::string> functions;  // that take part in it; one of them is in what is found
};

// `compilers`: folder with heddle-cc and heddle-c++.
Expected<Bug> prepare_bug(const Subject& subject, const std::filesystem::path& work,
                          const std::filesystem::path& compilers);

}  // namespace heddle::bench
