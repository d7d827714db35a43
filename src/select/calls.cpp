#include "select/calls.h"

#include <cxxabi.h>

#include <cstdlib>
#include <string_view>

namespace heddle::select {

using program::FunctionIndex;

namespace {

// Parts of linkage names of libstdc++.
constexpr std::string_view kControlBlock = "_Sp_counted_base";
constexpr std::string_view kOwner = "12__shared_ptrI";
constexpr std::string_view kDispose = "10_M_dispose";
constexpr std::string_view kDestroy = "10_M_destroy";
constexpr std::string_view kManager = "10_M_manager";
constexpr std::string_view kFunctionBase = "14_Function_base";
constexpr std::string_view kFunction =
    "_ZNSt8functionI";                                  // its members, but for the const ones: to call is one
constexpr std::string_view kCall = "_ZNKSt8functionI";  // and the signature
constexpr std::string_view kCallOperator = "EclE";
constexpr std::string_view kHandler = "_ZNSt17_Function_handlerI";  // and the signature

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

// A member of a class of the standard library.
bool is_of_library(std::string_view name) {
  return name.starts_with("_ZNSt") || name.starts_with("_ZNKSt");
}

std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = text != nullptr ? text : "";
  std::free(text);
  return result;
}

// "std::__shared_ptr<web::Session const, …>::reset()" → "web::Session"
std::string first_argument(std::string_view name, std::string_view of_class) {
  const size_t at = name.find(of_class);
  const size_t start = at == std::string_view::npos ? at : name.find('<', at);
  if (start == std::string_view::npos) return "";
  int depth = 0;
  size_t end = start + 1;
  for (; end < name.size() && (depth > 0 || (name[end] != ',' && name[end] != '>')); ++end) {
    if (name[end] == '<' || name[end] == '(') ++depth;
    if (name[end] == '>' || name[end] == ')') --depth;
  }
  std::string argument(name.substr(start + 1, end - start - 1));
  for (const std::string_view suffix : {"*", " const", " volatile"})
    if (argument.ends_with(suffix)) argument.resize(argument.size() - suffix.size());
  return argument;
}

// "_ZNKSt8functionIFvRK4SinkEEclES2_" → "FvRK4SinkE", the signature of those that it can call; empty for
// what is no call of a std::function.
std::string_view called_signature(std::string_view name) {
  if (!name.starts_with(kCall)) return "";
  name.remove_prefix(kCall.size());
  const size_t end = name.find(kCallOperator);
  return end == std::string_view::npos ? "" : name.substr(0, end);
}

}  // namespace

bool Calls::has_signature(FunctionIndex callee, std::string_view signature) const {
  const std::string_view name = program_.linkage_name(callee);
  return name.starts_with(kHandler) && name.substr(kHandler.size()).starts_with(signature);
}

Calls::Calls(const program::Program& program, const program::CallGraph& graph)
    : program_(program), graph_(graph), has_forgotten_(program.size()), is_handler_(program.size()) {
  for (FunctionIndex f = 0; f < program.size(); ++f) {
    const std::string& name = program.linkage_name(f);
    has_forgotten_[f] = is_of_library(name) &&
                        (has(name, kControlBlock) || has(name, kFunctionBase) || name.starts_with(kFunction));
    is_handler_[f] =
        is_of_library(name) && (has(name, kDispose) || has(name, kDestroy) || has(name, kManager));
  }
  for (FunctionIndex f = 0; f < program.size(); ++f)
    if (const std::string_view signature = called_signature(program.linkage_name(f)); !signature.empty())
      signatures_.emplace(f, signature);
  find_owners();
}

void Calls::find_owners() {
  std::map<std::string, std::vector<FunctionIndex>> disposers;  // by what they destroy
  for (FunctionIndex f = 0; f < program_.size(); ++f) {
    if (!is_handler_[f] || !has(program_.linkage_name(f), kDispose)) continue;
    disposers[first_argument(demangled(program_.linkage_name(f)), "_Sp_counted_")].push_back(f);
  }
  if (disposers.empty()) return;
  for (const program::Unit& unit : program_.units())
    for (const program::Type& type : unit.types)
      for (const uint32_t base : type.bases) bases_[type.name].insert(unit.types[base].name);
  std::map<std::string, std::vector<FunctionIndex>> by_base;
  for (const auto& [name, functions] : disposers) {
    std::set<std::string> owned_as = with_bases(name);
    owned_as.insert("void");
    for (const std::string& base : owned_as)
      by_base[base].insert(by_base[base].end(), functions.begin(), functions.end());
  }
  for (FunctionIndex f = 0; f < program_.size(); ++f) {
    const std::string& name = program_.linkage_name(f);
    if (!has(name, kOwner) ||
        !(has(name, "D2Ev") || has(name, "D1Ev") || has(name, "aSE") || has(name, "5reset")))
      continue;
    const auto found = by_base.find(first_argument(demangled(name), "__shared_ptr"));
    if (found != by_base.end()) destroyed_by_[f] = found->second;
  }
}

std::set<std::string> Calls::with_bases(const std::string& class_name) const {
  std::set<std::string> all{class_name};
  std::vector<std::string> open{class_name};
  while (!open.empty()) {
    const auto found = bases_.find(open.back());
    open.pop_back();
    if (found == bases_.end()) continue;
    for (const std::string& base : found->second)
      if (all.insert(base).second) open.push_back(base);
  }
  return all;
}

std::set<FunctionIndex> Calls::reached_from(const std::set<FunctionIndex>& from) const {
  std::set<FunctionIndex> reached = from;
  std::vector<FunctionIndex> open(from.begin(), from.end());
  while (!open.empty()) {
    const FunctionIndex f = open.back();
    open.pop_back();
    const std::vector<program::Block>& blocks = program_.function(f).blocks;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      for (uint32_t o = 0; o < blocks[b].ops.size(); ++o) {
        if (blocks[b].ops[o].kind != program::OpKind::kCall) continue;
        for_each_callee({f, b, o}, [&](FunctionIndex callee) {
          if (reached.insert(callee).second) open.push_back(callee);
        });
      }
    }
  }
  return reached;
}

}  // namespace heddle::select
