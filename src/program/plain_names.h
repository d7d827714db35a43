#pragma once

#include <string>
#include <string_view>

namespace heddle::program {

// "std::future<int>::get" → "std::future::get".
std::string without_template_arguments(std::string_view name);

}  // namespace heddle::program
