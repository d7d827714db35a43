// Changes that touch no behaviour, applied to all of a project wherever they can be.
//
// They are made of tokens, not of types: one may not compile, and who uses it must see to that.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace heddle::bench {

enum class NeutralKind : uint8_t {
  kLocalsRenamed,     // and parameters
  kFieldsRenamed,     // of classes, everywhere
  kFunctionsRenamed,  // everywhere
  kComments,          // before each statement
  kFunctionsMoved,    // members of a class, defined in the opposite order
  kReformatted,       // all layout
  kMemberAdded,       // to each class with private fields only, before them
  kAllocations,       // in each function of a source file
};
inline constexpr std::array kNeutralKinds{NeutralKind::kLocalsRenamed,    NeutralKind::kFieldsRenamed,
                                          NeutralKind::kFunctionsRenamed, NeutralKind::kComments,
                                          NeutralKind::kFunctionsMoved,   NeutralKind::kReformatted,
                                          NeutralKind::kMemberAdded,      NeutralKind::kAllocations};
const char* to_text(NeutralKind kind);

// The files that change, with their new texts; empty if there is nothing to apply it to.
std::map<std::string, std::string> make_neutral(NeutralKind kind,
                                                const std::map<std::string, std::string>& sources);

}  // namespace heddle::bench
