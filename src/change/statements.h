// Statements of a source file, as a reader takes them: found in the text, without a compiler.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct SourceRange {
  uint32_t first_line = 0;  // from 1
  uint32_t first_column = 0;
  uint32_t last_line = 0;
  uint32_t last_column = 0;  // of the last character

  auto operator<=>(const SourceRange&) const = default;
};

enum class StatementKind : uint8_t {
  kExpression,   // also declarations of locals, return, throw, break, goto …
  kCondition,    // what stands in the parentheses of if, while, for, switch: the statement that decides
  kCase,         // a label
  kInitializer,  // of a member, in a constructor
  kScopeEnd,     // of a scope that has declared something: destructors run here
};

// Named apart from history's Statement, which is a place that executes.
struct SourceStatement {
  StatementKind kind;
  SourceRange range;
  std::string text;    // tokens with one space between, without comments
  std::string normal;  // the same with locals and parameters numbered, so that renaming them changes nothing
  uint32_t depth = 0;  // of nesting within the function
  uint32_t parent = ~0u;  // index of the condition that it is under, or ~0u
};

struct SourceFunction {
  std::string name;       // qualified: "ns::Queue::push"
  std::string signature;  // name, parameter types and qualifiers, without the names of parameters
  SourceRange range;      // from the return type to the closing brace
  std::vector<SourceStatement> statements;  // in the order of the text
};

// A variable outside functions, or a field of a class.
struct SourceDeclaration {
  std::string name;  // qualified: "ns::Queue::size_"
  std::string type;  // normalised: "std::atomic<int>"
  bool is_field = false;
  SourceRange range;
  std::string text;  // with initialiser and attributes (GUARDED_BY …)
};

struct SourceMacro {
  std::string name;
  std::string text;
  SourceRange range;
};

struct SourceFile {
  std::string path;
  std::vector<SourceFunction> functions;  // nested ones (lambdas) belong to the function around them
  std::vector<SourceDeclaration> declarations;
  std::vector<SourceMacro> macros;
  std::vector<std::string> includes;
  std::vector<SourceRange> not_understood;  // text that was skipped: counts as changed if it differs
};

// Never fails: what it cannot make sense of goes to `not_understood`.
SourceFile parse_source(std::string path, std::string_view text);

}  // namespace heddle
