// The command line of a subject: `NAME [WORD] [--fixed]`.
//
// A subject says in its first lines what to expect of it, read by bench/explore/catalogue.h:
//
//   // expect: KINDS [WORD]    one row of the tables: how it fails (words of docs/json.md, separated by
//   commas)
//                              when it is given that word
//   // scale: N N N            the words of the thread-scaling table
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace subject {

// The correct version was asked for. Written before there are threads.
inline bool fixed = false;

[[noreturn]] inline void refuse(const char* program, const std::string& words) {
  std::fprintf(stderr, "usage: %s [%s] [--fixed]\n", program, words.c_str());
  std::exit(2);
}

// The word of the command line; empty if there is none.
inline std::string read_word(int argc, char** argv) {
  std::string word;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--fixed") {
      fixed = true;
    } else {
      word = argv[i];
    }
  }
  return word;
}

// For a subject without words.
inline void read_arguments(int argc, char** argv) {
  if (!read_word(argc, argv).empty()) refuse(argv[0], "");
}

// For a subject whose word is a number of threads.
inline int read_count(int argc, char** argv, int lowest, int highest) {
  const std::string word = read_word(argc, argv);
  const int count = word.empty() ? lowest : std::atoi(word.c_str());
  if (count < lowest || count > highest) {
    refuse(argv[0], std::to_string(lowest) + ".." + std::to_string(highest));
  }
  return count;
}

}  // namespace subject
