// Records of tests that nobody has executed.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "history/test_record.h"

namespace heddle {

inline const TreeVersion kTree{.content = 11, .revision = "c1", .is_working_tree = false};
inline const TreeVersion kLaterTree{.content = 22, .revision = "c2", .is_working_tree = false};

inline FunctionActivity activity(const std::string& function, uint32_t line) {
  return {.file = "src/queue.cpp",
          .function = function,
          .thread_sets = {{{"main"}, 1}, {{"main/1", "main/2"}, 2}},
          .blocks = {{line, 3, 0}, {line + 2, 5, 1}, {line + 300, 1, 1}},
          .accesses = {{line + 2, 9, access_kind::kRead, 1, "Queue::size_"},
                       {line + 2, 9, access_kind::kWrite | access_kind::kAtomic, 0, ""}}};
}

inline TestRecord record_of(const std::string& test, uint64_t program = 1) {
  TestRecord record;
  record.key = {.test = test, .command = 7, .program = program};
  record.outcome = "ok";
  record.microseconds = 1500;
  record.threads = 3;
  record.has_blocks = true;
  record.complete = true;
  record.time = 1000;
  record.functions = {std::make_shared<FunctionActivity>(activity("Queue::pop", 10)),
                      std::make_shared<FunctionActivity>(activity("Queue::push", 1000))};
  return record;
}

}  // namespace heddle
