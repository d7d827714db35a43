// ClassHierarchy: which functions a virtual call may mean, by the classes of the program alone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/program.h"

namespace heddle::program {

class ClassHierarchy {
 public:
  explicit ClassHierarchy(const Program& program);

  // Global symbols of what slot `slot` may hold in objects of the class or one derived from it.
  const std::set<uint32_t>& candidates(const std::string& class_name, uint32_t slot);
  // Whether any class has it in its virtual table.
  bool is_virtual(uint32_t symbol) const { return slots_.contains(symbol); }
  // Whether a call through this slot of whatever table may mean it.
  bool may_be_in_slot(uint32_t symbol, uint32_t slot) const;

 private:
  struct Class {
    std::vector<std::string> bases;
    std::vector<uint32_t> vtable;  // global symbols
    std::set<uint32_t> others;     // in tables of further base classes
    std::vector<std::string> derived;
  };
  bool has_as_first_base(const std::string& name, const std::string& base) const;

  std::map<std::string, Class> classes_;
  std::map<uint32_t, std::set<uint32_t>> slots_;  // of virtual functions, in all tables
  std::map<std::pair<std::string, uint32_t>, std::set<uint32_t>> candidates_;
};

}  // namespace heddle::program
