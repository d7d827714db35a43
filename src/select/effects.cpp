#include "select/effects.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "program/externals.h"

namespace heddle::select {

using program::FunctionIndex;
using program::MemoryOrder;
using program::Op;
using program::OpId;
using program::OpKind;
using program::ValueId;

namespace {

// "std::vector<int>::push_back(int const&)" → "std::vector<int>"; of other functions, what they are called.
std::string class_in(const std::string& demangled) {
  int depth = 0;
  size_t colons = std::string::npos;
  size_t begin = 0;
  for (size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (c == '<') ++depth;
    if (c == '>' && (i == 0 || demangled[i - 1] != '-')) --depth;
    if (depth != 0) continue;
    if (c == '(') break;
    if (c == ' ') begin = i + 1;
    if (c == ':' && i + 1 < demangled.size() && demangled[i + 1] == ':') colons = i;
  }
  return colons == std::string::npos || colons < begin ? demangled : demangled.substr(begin, colons - begin);
}

void add_place(const Path& path, uint64_t size, bool is_write, bool is_atomic, std::set<Effect>& effects) {
  const auto add = [&](std::string leaf, std::string root, bool is_own) {
    effects.insert({std::move(leaf), std::move(root), is_own, is_write, is_atomic});
  };
  if (!path.is_known()) return add("[]" + std::to_string(size), "", false);
  if (!path.is_contents()) return add(path.leaf, path.root, true);
  add(path.text(), "", true);
  add("[]" + std::to_string(size), path.root, false);
}

// An object that is copied as a whole, as a library does with what it is given by reference, is all its
// fields.
void add_fields(const AccessPaths& paths, ValueId address, uint64_t size, bool is_write, bool is_atomic,
                std::set<Effect>& effects) {
  for (const Path& field : paths.fields_of_object(address, size))
    effects.insert({field.leaf, field.root, true, is_write, is_atomic});
}

}  // namespace

Effects::Effects(const AnalysedProgram& program, const program::Escape& escape)
    : program_(program.program), points_to_(program.points_to), escape_(escape), library_(program, escape) {}

void Effects::add_own(const OpId& id, const Op& op, const AccessPaths& paths, Set& effects) const {
  if (!escape_.is_shared_access(id)) return;
  const bool is_atomic = op.order != MemoryOrder::kPlain && op.order != MemoryOrder::kVolatile;
  const auto add = [&](ValueId address, bool is_write) {
    if (paths.is_private(address)) return;
    const Path path = paths.of(address);
    add_place(path, op.size, is_write, is_atomic, effects);
    add_fields(paths, address, op.size, is_write, is_atomic, effects);
    const bool is_whole = op.kind == OpKind::kCopy || op.kind == OpKind::kFill || op.kind == OpKind::kCall;
    if (is_whole && path.is_known()) effects.insert({"", path.text(), true, is_write, is_atomic});
  };
  switch (op.kind) {
    case OpKind::kLoad:
      return add(op.operands[0], false);
    case OpKind::kStore:
    case OpKind::kFill:
      return add(op.operands[0], true);
    case OpKind::kUpdate:
      add(op.operands[0], false);
      return add(op.operands[0], true);
    case OpKind::kCopy:
      add(op.operands[0], true);
      return add(op.operands[1], false);
    case OpKind::kUnknown:
      for (const ValueId operand : op.operands) add(operand, true);
      return;
    case OpKind::kCall:
      break;
    default:
      return;
  }
  const bool is_unknown = points_to_.calls_unknown(id);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto number = static_cast<int8_t>(std::min<size_t>(i, 127));
    bool reads = is_unknown;
    bool writes = is_unknown;
    for (const program::ExternalModel* model : points_to_.known_externals(id)) {
      reads |= model->reads_arguments || model->copies_from == number;
      writes |= model->writes_arguments || model->writes_argument == number || model->copies_to == number;
    }
    const bool is_place = paths.of(op.operands[i]).is_known();  // a number has none
    if (reads && is_place) add(op.operands[i], false);
    if (writes && is_place) add(op.operands[i], true);
  }
}

const std::string& Effects::class_of(FunctionIndex function) {
  const auto [known, is_new] = classes_.try_emplace(function);
  if (is_new) {
    const std::string& mangled = program_.linkage_name(function);
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    known->second = class_in(text != nullptr ? text : mangled);
    std::free(text);
  }
  return known->second;
}

// What a library does is done to the objects that it was given: to the variable if it is known, else to some
// object of the class; and to what they contain.
void Effects::add_call(const OpId& id, const Op& op, const AccessPaths& paths, Set& effects) {
  for (const FunctionIndex callee : points_to_.callees(id)) {
    if (!is_of_a_library(program_.function(callee)) || library_.is_synchronisation(callee)) continue;
    const std::vector<LibraryEffect>& inside = library_.of(callee);
    for (size_t i = 0; i < op.operands.size() && i < inside.size(); ++i) {
      if (inside[i].empty() || paths.is_private(op.operands[i])) continue;
      const Path path = paths.of(op.operands[i]);
      // Of an object that is not known, its class at least: that of the member function. Where to construct a
      // result may come before the object.
      const std::vector<uint32_t>& own = program_.function(callee).own_parameters;
      const size_t object = !own.empty() && own.front() == 0 ? 1 : 0;
      const std::string of_class = i == object ? class_of(callee) : std::string();
      if (!path.is_known() && !may_be_pointer(id.function, op.operands[i])) continue;
      add_inside(path.is_known() ? path.text() : "", of_class, inside[i], effects);
      if (i == object) continue;
      for (const uint64_t size : inside[i].read)
        add_fields(paths, op.operands[i], size, false, inside[i].is_atomic, effects);
      for (const uint64_t size : inside[i].written)
        add_fields(paths, op.operands[i], size, true, inside[i].is_atomic, effects);
    }
  }
}

void Effects::add_inside(const std::string& place, const std::string& of_class, const LibraryEffect& inside,
                         Set& effects) {
  for (const bool is_write : {false, true}) {
    const Sizes& sizes = is_write ? inside.written : inside.read;
    if (sizes.empty()) continue;
    const auto add = [&](std::string leaf, std::string root, bool is_own) {
      effects.insert({std::move(leaf), std::move(root), is_own, is_write, inside.is_atomic});
    };
    if (inside.is_atomic && !place.empty()) {  // an atomic: it has no inside
      add(place, "", true);
      continue;
    }
    if (!of_class.empty()) add(of_class, place, false);
    for (const uint64_t size : sizes) add("[]" + std::to_string(size), place, false);
    if (place.empty()) continue;
    add(place, "", true);
    if (!place.ends_with("[]")) add(place + "[]", "", true);
    add("", place, true);
  }
}

bool Effects::may_be_pointer(FunctionIndex function, ValueId value) const {
  return !points_to_.pointees(function, value).empty();
}

std::vector<Effect> Effects::of(const OpId& id, const Op& op, const AccessPaths& paths) {
  if (library_.is_synchronisation(id.function, op)) return {};
  Set effects;
  add_own(id, op, paths, effects);
  if (op.kind == OpKind::kCall) add_call(id, op, paths, effects);
  return {effects.begin(), effects.end()};
}

}  // namespace heddle::select
