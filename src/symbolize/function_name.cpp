#include "symbolize/function_name.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

#include <llvm/Demangle/Demangle.h>

namespace heddle {
namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};
using OwnedText = std::unique_ptr<char, Free>;

// Neither C nor Itanium names contain a dot, so everything from the first one on was added by the compiler.
std::string_view without_clone_suffix(std::string_view name) {
  size_t dot = name.find('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

// Reads a demangled name once from left to right and copies what belongs to its short form.
class Shortener {
 public:
  explicit Shortener(std::string_view text) : text_(text) {}

  std::string run() {
    while (position_ < text_.size()) step();
    // Templates have their return type in front: "void call_once::{lambda}".
    size_t name_end = std::min(result_.find("operator"), result_.size());
    size_t blank = result_.substr(0, name_end).rfind(' ');
    return blank == std::string::npos ? result_ : result_.substr(blank + 1);
  }

 private:
  bool at(std::string_view word) const { return text_.substr(position_).starts_with(word); }

  bool at_word_start() const {
    if (position_ == 0) return true;
    char before = text_[position_ - 1];
    return !std::isalnum(static_cast<unsigned char>(before)) && before != '_';
  }

  void step() {
    if (at("operator") && at_word_start()) return copy_operator();
    if (at("(anonymous namespace)::")) return skip(23);
    if (at("[abi:")) return skip_group('[', ']');
    if (at("'lambda") || at("{lambda") || at("$_")) return copy_lambda();
    if (at("<")) return skip_group('<', '>');
    if (at("(")) return skip_parameters();
    result_ += text_[position_++];
  }

  void skip(size_t count) { position_ += std::min(count, text_.size() - position_); }

  // The punctuation of an operator's name is no bracket.
  void copy_operator() {
    result_ += "operator";
    skip(8);
    if (at("()")) {
      result_ += "()";
      return skip(2);
    }
    while (position_ < text_.size() &&
           std::string_view("<>=-*+!&|^%/~,[]").find(text_[position_]) != std::string_view::npos) {
      // "operator<<int>" is operator< of int: a third bracket, or a second followed by a name, opens
      // arguments.
      bool opens_arguments = text_[position_] == '<' && result_.ends_with('<') &&
                             (result_.ends_with("<<") || starts_arguments(position_ + 1));
      if (opens_arguments) break;
      result_ += text_[position_++];
    }
  }

  bool starts_arguments(size_t position) const {
    return position < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[position])) || text_[position] == '_');
  }

  // 'lambda1'(int)::operator(), {lambda(int)#1}::operator() or $_0::operator() → {lambda}
  void copy_lambda() {
    if (at("{")) {
      skip_group('{', '}');
    } else if (at("'")) {
      skip(1);
      while (position_ < text_.size() && text_[position_] != '\'') ++position_;
      skip(1);
      if (at("(")) skip_parameters();
    } else {
      skip(2);
      while (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_])))
        ++position_;
    }
    result_ += "{lambda}";
    if (at("::operator()")) skip(12);
  }

  void skip_parameters() {
    skip_group('(', ')');
    for (std::string_view qualifier : {" const", " volatile", " &&", " &"}) {
      if (at(qualifier)) skip(qualifier.size());
    }
  }

  void skip_group(char open, char close) {
    int depth = 0;
    do {
      if (text_[position_] == open) ++depth;
      // The arrow of "decltype(a->b)" is no closing bracket.
      if (text_[position_] == close && (position_ == 0 || text_[position_ - 1] != '-')) --depth;
      ++position_;
    } while (depth > 0 && position_ < text_.size());
  }

  std::string_view text_;
  size_t position_ = 0;
  std::string result_;
};

}  // namespace

std::string full_function_name(std::string_view linkage_name) {
  return llvm::demangle(without_clone_suffix(linkage_name));
}

std::string short_function_name(std::string_view linkage_name) {
  std::string mangled(without_clone_suffix(linkage_name));
  // gcc gives inlined lambdas no linkage name.
  if (mangled == "operator()") return "{lambda}";
  llvm::ItaniumPartialDemangler demangler;
  if (!mangled.starts_with("_Z") || demangler.partialDemangle(mangled.c_str())) return mangled;
  if (!demangler.isFunction()) return full_function_name(mangled);  // "guard variable for x"
  OwnedText name(demangler.getFunctionName(nullptr, nullptr));
  return name ? Shortener(name.get()).run() : mangled;
}

std::string type_name(std::string_view mangled) {
  // A type alone is the argument of a function that is not there: "_Z" + "TI" + type is its typeinfo.
  std::string typeinfo = "_ZTI" + std::string(mangled);
  constexpr std::string_view kPrefix = "typeinfo for ";
  std::string name = llvm::demangle(typeinfo);
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : std::string(mangled);
}

}  // namespace heddle
