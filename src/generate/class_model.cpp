#include "generate/class_model.h"

#include <fmt/format.h>

namespace heddle::generate {

std::string Callable::signature() const {
  std::string types;
  for (const Parameter& parameter : parameters) types += (types.empty() ? "" : ", ") + parameter.type;
  if (is_variadic) types += types.empty() ? "..." : ", ...";
  return fmt::format("{}({})", name, types);
}

}  // namespace heddle::generate
