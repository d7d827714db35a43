// Statements of one function body. The main loop is statement(): what begins at a token, and where it ends.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "change/local_names.h"

namespace heddle {

class BodyParser {
 public:
  // `local_class` is given the tokens of a class or enumeration that is defined within the function.
  using LocalClass = std::function<void(uint32_t begin, uint32_t end)>;
  BodyParser(const LexedSource& source, SourceFunction& function, LocalClass local_class)
      : source_(source),
        tokens_(source.tokens),
        function_(function),
        names_(tokens_, function.locals),
        local_class_(std::move(local_class)) {
    names_.push();
  }

  void parameter_list(uint32_t begin, uint32_t end);            // between the parentheses
  void initializer(uint32_t begin, uint32_t end);               // `member_(value)`
  void body(uint32_t open, uint32_t close);                     // its braces
  void handler(uint32_t begin, uint32_t open, uint32_t close);  // `catch (…) {…}` of a function

 private:
  struct Context {
    uint32_t depth = 0;
    uint32_t parent = ~0u;
    bool otherwise = false;
  };
  // A lambda's body, or a GNU statement expression, within a statement.
  struct Nested {
    uint32_t open;
    uint32_t close;
    std::vector<std::pair<std::string_view, uint32_t>> parameters;
  };

  void block(uint32_t open, uint32_t close, Context context, bool declares = false);
  uint32_t statement(uint32_t begin, uint32_t end, const Context& context);
  uint32_t controlled(uint32_t begin, uint32_t end, const Context& context, bool declares);
  uint32_t if_chain(uint32_t begin, uint32_t end, Context context);
  uint32_t loop(uint32_t begin, uint32_t end, const Context& context);
  uint32_t do_loop(uint32_t begin, uint32_t end, const Context& context);
  uint32_t label(uint32_t begin, uint32_t end, const Context& context);
  uint32_t expression(uint32_t begin, uint32_t end, const Context& context);
  uint32_t end_of_expression(uint32_t begin, uint32_t end) const;
  uint32_t class_body(uint32_t begin, uint32_t end) const;
  void declare_in_condition(uint32_t keyword, uint32_t open);
  bool declare(const std::vector<DeclaredName>& names, const std::string& storage);
  std::string storage_of(uint32_t begin, uint32_t end) const;

  uint32_t emit(StatementKind kind, uint32_t begin, uint32_t end, const Context& context);
  std::vector<Nested> nested_bodies(uint32_t begin, uint32_t end);
  bool is_body(uint32_t open, bool after_lambda) const;
  bool starts_lambda(uint32_t index, uint32_t begin) const;
  uint32_t next_index() const { return static_cast<uint32_t>(function_.statements.size()); }
  DeclarationRules rules(bool is_condition) const;

  const LexedSource& source_;
  const Tokens& tokens_;
  SourceFunction& function_;
  LocalNames names_;
  LocalClass local_class_;
  std::vector<bool> declares_;  // per open block: something with a destructor
  uint32_t nesting_ = 0;
};

}  // namespace heddle
