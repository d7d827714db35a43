// What is told of a value in the abstract state of an object (driver_state.h): of numbers and counts in full;
// of other types, what can be asked of their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <heddle/outcome.h>

namespace heddle_driver {

class State;

// The classes whose fields are known have specialisations in the state's source, with
// `static void add(State& state, const T& object)`.
template <typename T>
struct FieldsOf : std::false_type {};

template <typename T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename T, typename = void>
struct HasSize : std::false_type {};
template <typename T>
struct HasSize<T, std::enable_if_t<std::is_integral_v<decltype(std::declval<const T&>().size())>>>
    : std::true_type {};

template <typename T, typename = void>
struct HasCapacity : std::false_type {};
template <typename T>
struct HasCapacity<T, std::enable_if_t<std::is_integral_v<decltype(std::declval<const T&>().capacity())>>>
    : std::true_type {};

template <typename T, typename = void>
struct HasEmpty : std::false_type {};
template <typename T>
struct HasEmpty<T, std::enable_if_t<std::is_same_v<decltype(std::declval<const T&>().empty()), bool>>>
    : std::true_type {};

template <typename T, typename = void>
struct HasJoinable : std::false_type {};
template <typename T>
struct HasJoinable<T, std::void_t<decltype(std::declval<const T&>().joinable())>> : std::true_type {};

// What a raw or smart pointer points to, as far as its fields are known; void for all else.
template <typename T, typename = void>
struct KnownPointee {
  using Type = void;
};
template <typename T>
struct KnownPointee<T*, std::enable_if_t<FieldsOf<Plain<T>>::value>> {
  using Type = Plain<T>;
};
template <typename T>
struct KnownPointee<T, std::enable_if_t<heddle::detail::IsSmartPointer<T>::value &&
                                        !std::is_array_v<typename T::element_type> && !FieldsOf<T>::value &&
                                        FieldsOf<Plain<typename T::element_type>>::value &&
                                        std::is_pointer_v<decltype(std::declval<const T&>().get())>>> {
  using Type = Plain<typename T::element_type>;
};

template <typename T>
constexpr bool kPointsToKnown = !std::is_void_v<typename KnownPointee<Plain<T>>::Type>;

// Whether elements of this type are worth telling apart: those that have a structure. Numbers and texts are
// mostly values that somebody has put there.
template <typename T, typename = void>
struct IsStructured;

template <typename T>
struct AnyPartIsStructured : std::false_type {};
template <template <typename...> class Tuple, typename... Parts>
struct AnyPartIsStructured<Tuple<Parts...>>
    : std::bool_constant<(IsStructured<Plain<Parts>>::value || ... || false)> {};

template <typename T, typename>
struct IsStructured {
  static constexpr bool is_structured() {
    namespace known = heddle::detail;
    if constexpr (FieldsOf<T>::value || kPointsToKnown<T>)
      return true;
    else if constexpr (known::IsAtomic<T>::value)
      return kPointsToKnown<decltype(std::declval<const T&>().load())>;
    else if constexpr (known::IsText<T>::value)
      return false;
    else if constexpr (known::IsTuple<T>::value && !HasSize<T>::value)
      return AnyPartIsStructured<T>::value;
    else
      return std::is_array_v<T> || known::IsOptional<T>::value || known::IsVariant<T>::value ||
             HasSize<T>::value;
  }
  static constexpr bool value = is_structured();
};

inline std::string shape_of_count(std::size_t count) {
  return count == 0 ? "empty" : count == 1 ? "one" : "many";
}

inline std::string small_or_many(std::uint64_t value) {
  return value < 4 ? std::to_string(value) : "many";
}

// A number too large for a count may be several that share a word.
inline std::string shape_of_word(std::uint64_t word) {
  std::string text;
  for (int shift = 48; shift >= 0; shift -= 16) {
    if (word >> shift == 0) continue;
    text += (text.empty() ? "" : "|") + small_or_many(word >> shift & 0xffff);
  }
  return text;
}

template <typename T>
std::string shape_of_number(T value) {
  if (value != value) return "nan";
  if (value == T(0)) return "0";
  if (value == T(1)) return "1";
  if (value == std::numeric_limits<T>::max()) return "max";
  if (value < T(0)) return "negative";
  if constexpr (std::is_unsigned_v<T> && sizeof(T) <= sizeof(std::uint64_t)) {
    if (static_cast<std::uint64_t>(value) > 0xffff) return shape_of_word(value);
  }
  return "many";
}

// What threads agree on in one step is often a state, whose numbers mean something each.
template <typename T>
std::string shape_of_atomic_number(T value) {
  return value == T(2) ? "2" : value == T(3) ? "3" : shape_of_number(value);
}

}  // namespace heddle_driver
