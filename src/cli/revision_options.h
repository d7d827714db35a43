// The options that name a change.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heddle {

struct RevisionOptions {
  std::string base;
  std::string head;  // empty: the working tree
};

inline void add_revision_options(CLI::App& command, RevisionOptions& options) {
  command.add_option("--base", options.base, "revision to compare with; where the head left it")->required();
  // A variable of a script that is empty must not mean another revision.
  command.add_option("--head", options.head, "revision to look at; default: the working tree as it is")
      ->check([](const std::string& revision) {
        return revision.empty() ? std::string("a revision is wanted; leave --head out for the working tree")
                                : "";
      });
}

}  // namespace heddle
