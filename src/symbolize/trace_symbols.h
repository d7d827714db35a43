// TraceSymbols: the numbers in a trace as a person reads them.
//
// Sites become functions and lines, contexts call stacks, locations variables. Which frame of a stack is
// worth showing depends on who asks. A stack keeps everything but the runtime's own frames; a single line
// should be in the user's code, since a line of <mutex> says nothing about which of the program's locks is
// meant.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbolize/location_names.h"
#include "symbolize/location_uses.h"
#include "symbolize/source_files.h"
#include "symbolize/stack_names.h"
#include "symbolize/symbolizer.h"
#include "trace/trace.h"

namespace heddle {

struct StackFrame {
  Frame frame;
  bool is_user_code = false;  // not in a system header or system library
};

class TraceSymbols {
 public:
  // Both must outlive this.
  TraceSymbols(const trace::Trace& trace, Symbolizer& symbolizer);

  const trace::Trace& trace() const { return trace_; }

  // The call stack of an operation, innermost first, inlined frames included.
  std::vector<StackFrame> stack(uint32_t site, uint32_t context) const;

  // The stack of the failure: the machine's if it could be walked, else that of the outcome's site.
  std::vector<StackFrame> outcome_stack() const;

  // The innermost frame in user code (one with a known line, if possible), or the innermost of all.
  const Frame& line_of_interest(uint32_t site, uint32_t context) { return interest(site, context).frame; }

  // Whether that frame is the user's.
  bool is_in_user_code(uint32_t site, uint32_t context) { return interest(site, context).is_user_code; }

  // Whether the site is in a system library. Those are not instrumented, so the context of such a site ends
  // with the user's function that called into the library, and does not say from which of its lines.
  bool is_in_system_library(uint32_t site) const;

  // Whether an object is what std::thread hands to a new thread: shared, but nobody's bug.
  bool is_thread_state(uint32_t object) const;

  // "Queue::push queue.cpp:41:7", or "prog+0x1234".
  std::string site_text(uint32_t site, uint32_t context = 0);

  // The variable that a location is part of, and where in it that is: of globals, and of objects of a class
  // on a stack, whose name is not known.
  std::optional<Variable> variable_at(uint32_t object, uint64_t offset);

  // What the program calls a location: "account_lock", "Account::balance"; empty if that is not known.
  std::string variable_name(uint32_t object, uint64_t offset);

  // For sentences: "`account_lock`", "`balance` of the 48-byte Account allocated at bank.cpp:20 by main",
  // "field at +16 of the 48-byte object allocated …", "a variable on the stack of main/1".
  std::string location_text(uint32_t object, uint64_t offset);

  // For lists: "account_lock", "heap#3+16", "stack(main/1)-88".
  std::string location_label(uint32_t object, uint64_t offset) const;

  // What stays the same in a location over executions and rebuilds: "account_lock", "heap make_bank+16".
  std::string location_identity(uint32_t object, uint64_t offset);

  // The function of the line of interest; of an unknown one only the module's name is left, since its offset
  // changes with every build.
  std::string function_identity(uint32_t site, uint32_t context);

  // "main/1", and "main/1 (worker)" if the program gave it a name.
  std::string thread_text(uint32_t thread) const;

  // Why names are missing: one sentence for each module of a site that could not be read.
  std::vector<std::string> problems() const;

  SourceFiles sources;

 private:
  ModuleName module_name(uint32_t module) const;
  void append_site(uint32_t site, std::vector<StackFrame>& stack) const;
  const StackFrame& interest(uint32_t site, uint32_t context);
  std::optional<LocationName> location_name(uint32_t object, uint64_t offset);
  const StackNames& names_on_stack(uint32_t object);
  StackNames read_stack(uint32_t object);
  std::optional<LocationUse> use_by(const trace::EventRecord& event);
  std::string heap_text(const trace::ObjectRecord& record, uint64_t offset,
                        const std::optional<LocationName>& name);

  const trace::Trace& trace_;
  Symbolizer& symbolizer_;
  LocationUses uses_;
  std::map<std::pair<uint32_t, uint32_t>, StackFrame> lines_;
  std::map<uint32_t, StackNames> stacks_;  // by object
};

// Heddle's runtime, or one that it takes the place of.
bool is_runtime_module(std::string_view path);

// Whether a frame in that module is not in a system header or system library.
bool is_user_frame(const Frame& frame, std::string_view module_path);

// Of what heddle puts around the calls of a generated test.
bool is_of_driver(const Frame& frame);

// "queue.cpp:41:7"; with no column if it is 0, and the function's name if there is no file.
std::string file_position(const Frame& frame);

// "queue.cpp:41": what fits into a column.
std::string file_line(const Frame& frame);

}  // namespace heddle
