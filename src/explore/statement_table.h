// StatementTable: from the sites and contexts of traces to source statements (history/statement.h).
//
// Lines come from debug information, which is read once for each site of the program. From then on an event
// costs two look-ups. Inlined calls count as calls, so that a statement is the same whether the compiler
// inlined it or not, as far as that can be; those within the standard library do not, so that it does not
// matter through how many of its functions a lock is reached. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/hapset.h"
#include "history/source_tree.h"
#include "history/statement.h"
#include "symbolize/symbolizer.h"
#include "trace/trace.h"

namespace heddle {

class StatementTable {
 public:
  // Both must outlive this.
  StatementTable(Symbolizer& symbolizer, const SourceTree& sources);

  // The events to come belong to this trace, which must live as long as they are asked for.
  void begin(const trace::Trace& trace);

  // The key of what an event executes.
  uint64_t key(const trace::EventRecord& event);

  // The statements that sets speak of, as far as they have been seen here.
  std::map<uint64_t, Statement> describe(const HapSet& sets) const;

 private:
  // The same as in the trace's tables, but with numbers that stay the same from trace to trace.
  struct Site {
    uint32_t module = 0;
    uint64_t offset = 0;
    bool operator==(const Site&) const = default;
  };
  struct Context {
    uint32_t parent = 0;
    uint32_t call_site = 0;
    bool operator==(const Context&) const = default;
  };
  struct Use {
    uint32_t site = 0;
    uint32_t context = 0;
    trace::EventKind kind = trace::EventKind::kNone;
    bool operator==(const Use&) const = default;
  };
  struct Hash {
    size_t operator()(const Site& site) const;
    size_t operator()(const Context& context) const;
    size_t operator()(const Use& use) const;
  };
  // What the source says of a site.
  struct Lines {
    CodePosition innermost;
    std::string function;
    // Those of the inlined-at chain that are in the program's own code, innermost first.
    std::vector<CodePosition> own;
    bool begins_with_own = false;  // the innermost is one of them
  };

  uint32_t module_of(uint32_t module);
  uint32_t site_of(uint32_t site);
  uint32_t context_of(uint32_t context);
  Lines lines_of(const Site& site);
  Statement statement_of(const Use& use) const;

  Symbolizer& symbolizer_;
  const SourceTree& sources_;
  std::map<std::pair<std::string, std::string>, uint32_t> module_numbers_;
  std::vector<ModuleName> modules_;
  std::unordered_map<Site, uint32_t, Hash> site_numbers_;
  std::vector<Lines> sites_;
  std::unordered_map<Context, uint32_t, Hash> context_numbers_;
  std::vector<Context> contexts_;
  std::unordered_map<Use, uint64_t, Hash> keys_;
  std::unordered_map<uint64_t, Statement> statements_;
  const trace::Trace* trace_ = nullptr;
  // Of the trace: our numbers plus 1; 0 if they have not been asked for.
  std::vector<uint32_t> trace_modules_;
  std::vector<uint32_t> trace_sites_;
  std::vector<uint32_t> trace_contexts_;
};

}  // namespace heddle
