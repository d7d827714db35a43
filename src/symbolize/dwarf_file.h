// The debug information of one file, opened when it is first asked for, and what its entries say about types.
// Only this folder includes LLVM.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/Object/ObjectFile.h>

namespace heddle {

class DwarfFile {
 public:
  explicit DwarfFile(std::string path) : path_(std::move(path)) {}

  // Null if the file cannot be read. A file without debug information has no units.
  llvm::DWARFContext* context();

 private:
  std::string path_;
  bool is_open_ = false;
  llvm::object::OwningBinary<llvm::object::ObjectFile> binary_;
  std::unique_ptr<llvm::DWARFContext> context_;
};

// Types nest a few levels deep; more is damaged debug information.
inline constexpr int kMaxTypeDepth = 32;

uint64_t attribute_number(const llvm::DWARFDie& die, llvm::dwarf::Attribute attribute);

// The type of a variable or member without typedefs and qualifiers.
llvm::DWARFDie underlying_type(const llvm::DWARFDie& die);

uint64_t type_size(llvm::DWARFDie type);

bool is_class(const llvm::DWARFDie& type);

// Of the C++ library, or one of the pthread types.
bool is_standard_library_type(const llvm::DWARFDie& type);

// The array that a type is: an array type itself, or that in a std::array, of which programs see nothing but
// its elements. Nothing for other types.
llvm::DWARFDie array_inside(const llvm::DWARFDie& type);

// The bytes from a member to the next one, or to the end of its class: the size of a member whose type is
// only declared, as clang leaves many of the library's.
uint64_t room_for(const llvm::DWARFDie& type, const llvm::DWARFDie& member);

}  // namespace heddle
