// Where each function's part of a list begins that is sorted by function.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::program {

// `functions` + 1 places: a function's part ends where the next one's begins.
template <typename T, typename FunctionOf>
std::vector<uint32_t> first_of_functions(const std::vector<T>& list, size_t functions,
                                         FunctionOf function_of) {
  std::vector<uint32_t> first(functions + 1);
  for (const T& it : list) ++first[function_of(it) + 1];
  for (size_t f = 0; f < functions; ++f) first[f + 1] += first[f];
  return first;
}

}  // namespace heddle::program
