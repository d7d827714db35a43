// Operations: calls of one class with their arguments chosen, numbered as the driver knows them.
//
// The texts are C++. In them, `object` is the shared object under test and `other` a second one of the same
// class (there is one if the class has methods that take another object of it); other names are those of
// fixtures. An argument that is the result of an earlier call reads `$7`: the result of the latest call of
// method 7 that the same thread has made, or that was made before the threads began.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::generate {

enum class OperationId : uint32_t {};

struct Operation {
  OperationId id{};  // index in the table
  bool is_constructor = false;
  uint32_t callable = 0;  // index in the model's constructors or methods
  std::string receiver;   // "object", "other"; empty for constructors and static methods
  std::vector<std::string> arguments;
  // A constructor: what stands behind `Type name`, "(2)", "{}" or " = make()". A method: "object.put(1, x)".
  std::string code;
  std::string label;               // for people, and equal for calls that are equal: "put(1, x)"
  bool only_afterwards = false;    // the user asks it when the threads have ended
  bool is_const = false;           // the object is not changed by it, if it keeps its word
  bool has_result = false;         // what it gives back can be written as a text
  bool takes_other = false;        // uses `other`
  bool moves_other = false;        // … and takes away what is in it
  std::vector<uint32_t> needs;     // methods whose results it takes: the $ of its arguments
  std::vector<uint32_t> moves;     // those of them whose results it moves from
  std::vector<uint32_t> fixtures;  // what its arguments refer to: indices in the table
};

// An object that arguments refer to, and that must live as long as the object under test: a listener, a
// logger. Each execution has its own.
struct Fixture {
  std::string name;         // "listener_1"
  std::string declaration;  // a statement: "SilentListener listener_1;"
  std::string definition;   // what has to stand in front, at namespace scope; may be empty
};

struct OperationTable {
  std::vector<Operation> operations;  // constructors first
  uint32_t constructors = 0;          // how many of them
  bool has_other = false;
  std::vector<std::string>
      includes;  // what the codes need beyond the class's headers: "<memory>", "\"user.h\""
  std::vector<Fixture> fixtures;

  const Operation& operator[](OperationId id) const { return operations[static_cast<uint32_t>(id)]; }
};

}  // namespace heddle::generate
