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
  kInitializer,  // of a member, in a constructor; of a variable or field, if there is a lambda in it
  kScopeEnd,     // of a scope that has declared something: destructors run here
};

// Named apart from history's Statement, which is a place that executes.
struct SourceStatement {
  StatementKind kind;
  SourceRange range;
  std::string text;  // tokens with one space between, without comments
  // The same with locals and parameters numbered ($1, $2, … in SourceFunction::locals), so that renaming them
  // changes nothing.
  std::string normal;
  uint32_t depth = 0;  // of nesting within the function
  // Index of the condition that it is under (of a lambda's body: the statement that the lambda is in), or
  // ~0u. The condition of a `do` stands after its children.
  uint32_t parent = ~0u;
  bool otherwise = false;   // under the `else` of its parent
  std::string compiled_if;  // the preprocessor's condition, or empty
};

struct SourceLocal {
  std::string name;
  std::string type;            // normalised; "auto" as it is written
  uint32_t declared_by = ~0u;  // the statement; ~0u: a parameter
  std::string storage;         // "static", "thread_local"; empty: each call has its own
};

struct SourceFunction {
  std::string name;                 // qualified: "ns::Queue::push"
  std::string signature;            // name, parameter types and qualifiers, without the names of parameters
  SourceRange range;                // from the return type to the closing brace
  std::string result;               // everything of the head before the name: "static int"
  std::vector<SourceLocal> locals;  // parameters first; $1 is locals[0]
  std::vector<SourceStatement> statements;  // in the order of the text
};

enum class DeclarationKind : uint8_t {
  kVariable,    // outside functions
  kField,       // of a class, also static
  kEnumerator,  // its type is that of the enumeration
  kAlias,       // using, typedef: its type is what it stands for
  kClass,       // its type is the list of its bases
  kFunction,    // declared without a body: its type is what it returns
};

// What a name stands for outside function bodies.
struct SourceDeclaration {
  std::string name;  // qualified: "ns::Queue::size_"; of a function its signature
  std::string type;  // normalised: "std::atomic<int>"
  DeclarationKind kind = DeclarationKind::kVariable;
  SourceRange range;
  std::string text;         // with initialiser and attributes (GUARDED_BY …)
  std::string compiled_if;  // the preprocessor's condition, or empty
};

struct SourceMacro {
  std::string name;
  std::string text;
  SourceRange range;
  std::string defined_if;  // the preprocessor's condition, or empty
};

// Text outside functions that was skipped: uses of unknown macros, broken code.
struct SourceUnknown {
  SourceRange range;
  std::string text;
};

struct SourceFile {
  std::string path;
  std::vector<SourceFunction> functions;  // nested ones (lambdas) belong to the function around them
  std::vector<SourceDeclaration> declarations;
  std::vector<SourceMacro> macros;
  std::vector<std::string> includes;
  std::vector<SourceUnknown> not_understood;  // counts as changed if it differs
};

// Never fails: what it cannot make sense of goes to `not_understood`.
SourceFile parse_source(std::string path, std::string_view text);

}  // namespace heddle
