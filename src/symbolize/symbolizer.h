// Symbolizer: code and data positions of a module → functions, source lines, variables.
//
// A position is an offset from the module's load address, which for an ELF file linked the usual way is the
// virtual address of its symbol table. A module that is gone, has been rebuilt since (its build-id differs)
// or has no debug information never is an error: the answer then says less, down to "prog+0x1234".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// An ELF file as a trace names it; an empty build-id is not compared.
struct ModuleName {
  std::string path;
  std::string build_id;
};

// One level of the inlined-at chain of a code position.
struct Frame {
  std::string function;   // without parameters and template arguments: Queue::push, main::{lambda}
  std::string signature;  // the complete demangled name
  std::string file;       // empty if not known
  uint32_t line = 0;
  uint32_t column = 0;

  bool operator==(const Frame&) const = default;
};

// A global or static variable, or the smallest known part of one, and where in it a data position lies.
struct Variable {
  std::string name;  // "savings", "accounts[3].balance"
  uint64_t offset = 0;
  uint64_t size = 0;

  bool operator==(const Variable&) const = default;
};

// What a name can mean in one compilation unit: a data member of a class, or a local variable.
struct NamedPart {
  std::string name;         // "balance"
  std::string owner;        // the class, "bank::Account"; empty for a local variable
  uint64_t owner_size = 0;  // of the class
  uint64_t offset = 0;      // in the class, through bases and members that are classes themselves
  uint64_t size = 0;        // of the part, or of one element if it is an array
  uint64_t count = 1;       // of elements
  bool is_opaque = false;   // of a type whose insides have no names in the program: std::mutex, std::vector

  bool operator==(const NamedPart&) const = default;
};

// A part of a local variable that lies in memory at a fixed place of its function's stack frame: down to
// scalars, and to types of the library, whose insides have no names in the program.
struct FramePart {
  std::string path;   // "pool.idle_", "readers[1].last_"
  std::string word;   // what a line that uses it mentions: "idle_"
  int64_t begin = 0;  // from a place of the frame that is the same for all parts, and a multiple of 16
  uint64_t size = 0;
  bool is_opaque = false;

  bool operator==(const FramePart&) const = default;
};

class Symbolizer {
 public:
  virtual ~Symbolizer() = default;

  // Innermost frame first. Never empty: an unknown position gives one frame whose function is "prog+0x1234"
  // and whose file is empty. The reference stays valid as long as the symbolizer.
  virtual const std::vector<Frame>& code(const ModuleName& module, uint64_t offset) = 0;

  virtual std::optional<Variable> data(const ModuleName& module, uint64_t offset) = 0;
  // The whole variable, of which data() may name a part.
  virtual std::optional<Variable> variable(const ModuleName& /*module*/, uint64_t /*offset*/) { return {}; }

  // What names can mean in the compilation unit of a code position. Those of the standard library are
  // left out.
  virtual const std::vector<NamedPart>& names_at(const ModuleName& module, uint64_t offset) = 0;

  // The local variables of the function at a code position. The reference stays valid as long as the
  // symbolizer.
  virtual const std::vector<FramePart>& frame_at(const ModuleName& /*module*/, uint64_t /*offset*/) {
    static const std::vector<FramePart> kNone;
    return kNone;
  }

  // Why this module's positions stay unnamed, as a sentence for the user; empty if they do not.
  virtual std::string problem(const ModuleName& module) = 0;
};

// The one that reads ELF and DWARF, with LLVM's symbolizer. Answers are cached; not thread-safe.
std::unique_ptr<Symbolizer> make_symbolizer();

// "prog+0x1234": what is left when nothing else is known.
std::string module_offset_text(std::string_view module_path, uint64_t offset);

}  // namespace heddle
