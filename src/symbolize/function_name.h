// Names of functions and types as people write them, from the names that linkers see.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// "_ZN5Queue4pushEi" → "Queue::push(int)". A name that is not mangled comes back unchanged, except for the
// suffixes compilers add to clones (".constprop.0"), which are always dropped.
std::string full_function_name(std::string_view linkage_name);

// "_ZN5QueueIiE4pushEi" → "Queue::push": no parameters, template arguments or anonymous namespaces, and every
// lambda is "{lambda}", since compilers number them differently and renumber them when code is added.
std::string short_function_name(std::string_view linkage_name);

// The type name inside a mangled type ("St13runtime_error", as std::type_info::name() gives it) or the text
// itself if it is none.
std::string type_name(std::string_view mangled);

}  // namespace heddle
