// The abstract state of an object: of each field, what kind of value it has, and which numbers and pointers
// are equal. Objects with equal states need not be equal, but calls mostly do the same on them.
//
// A queue of two elements and one of three have the same state, unless one of them is full: then its size
// equals its capacity.
#pragma once

#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <heddle/outcome.h>

#include "driver_interface.h"

namespace heddle_driver {

template <typename T, typename = void>
struct HasSize : std::false_type {};
template <typename T>
struct HasSize<T, std::enable_if_t<std::is_integral_v<decltype(std::declval<const T&>().size())>>>
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

class State {
 public:
  template <typename T>
  void add(const char* name, const T& value) {
    const std::string shape = shape_of(name, value);
    if (!shape.empty()) text_ += std::string(name) + "=" + shape + " ";
  }

  void give() {
    add_equalities(numbers_);
    add_equalities(pointers_);
    if (!text_.empty()) text_.pop_back();
    heddle_driver_give_state(text_.data(), text_.size());
  }

 private:
  template <typename Value>
  using Values = std::vector<std::pair<std::string, Value>>;

  template <typename T>
  static std::string shape_of_number(T value) {
    if (value != value) return "nan";
    if (value == T(0)) return "0";
    if (value == T(1)) return "1";
    if (value == std::numeric_limits<T>::max()) return "max";
    return value < T(0) ? "negative" : "many";
  }

  static std::string shape_of_count(std::size_t count) {
    return count == 0 ? "empty" : count == 1 ? "one" : "many";
  }

  // Empty if nothing is known of such a value.
  template <typename T>
  std::string shape_of(const std::string& name, const T& value) {
    namespace known = heddle::detail;
    using Plain = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<Plain, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<Plain>) {
      if constexpr (std::is_integral_v<Plain>) numbers_.emplace_back(name, static_cast<long long>(value));
      return shape_of_number<Plain>(value);
    } else if constexpr (std::is_enum_v<Plain>) {
      return std::to_string(static_cast<long long>(value));
    } else if constexpr (std::is_array_v<Plain>) {
      return shape_of_elements(std::begin(value), std::end(value));
    } else if constexpr (std::is_pointer_v<Plain>) {
      if constexpr (std::is_object_v<std::remove_pointer_t<Plain>>)
        pointers_.emplace_back(name, reinterpret_cast<std::size_t>(value));
      return value == nullptr ? "null" : "non-null";
    } else if constexpr (known::IsAtomic<Plain>::value) {
      return shape_of(name, value.load());
    } else if constexpr (known::IsOptional<Plain>::value) {
      return value.has_value() ? "some" : "none";
    } else if constexpr (known::IsVariant<Plain>::value) {
      return std::to_string(value.index());
    } else if constexpr (known::IsDuration<Plain>::value) {
      return shape_of_number(value.count());
    } else if constexpr (known::IsTimePoint<Plain>::value) {
      return shape_of_number(value.time_since_epoch().count());
    } else if constexpr (HasSize<Plain>::value) {
      const auto size = static_cast<std::size_t>(value.size());
      // The length of a text is no number to compare others with.
      if constexpr (!known::IsText<Plain>::value) numbers_.emplace_back(name, static_cast<long long>(size));
      // The size of a std::array says nothing.
      if constexpr (known::IsTuple<Plain>::value)
        return shape_of_elements(value.begin(), value.end());
      else
        return shape_of_count(size);
    } else if constexpr (known::IsTuple<Plain>::value) {
      return shape_of_parts(name, value, std::make_index_sequence<std::tuple_size<Plain>::value>{});
    } else if constexpr (HasEmpty<Plain>::value) {
      return value.empty() ? "empty" : "many";
    } else if constexpr (known::IsSmartPointer<Plain>::value) {
      if constexpr (std::is_convertible_v<decltype(value.get()), const volatile void*>)
        pointers_.emplace_back(name, reinterpret_cast<std::size_t>(value.get()));
      return value == nullptr ? "null" : "non-null";
    } else if constexpr (known::IsWeakPointer<Plain>::value) {
      return value.expired() ? "expired" : "alive";
    } else if constexpr (HasJoinable<Plain>::value) {
      return value.joinable() ? "runs" : "none";
    } else if constexpr (known::ComparesWithNull<Plain>::value) {
      return value == nullptr ? "null" : "non-null";
    } else {
      return "";
    }
  }

  // Of an array: how many of its elements are not what they are in the beginning.
  template <typename Iterator>
  static std::string shape_of_elements(Iterator begin, Iterator end) {
    using Element = std::remove_cv_t<std::remove_reference_t<decltype(*begin)>>;
    if constexpr (std::is_scalar_v<Element>) {
      std::size_t count = 0;
      std::size_t all = 0;
      for (; begin != end; ++begin, ++all) count += *begin == Element() ? 0 : 1;
      return count != 0 && count == all ? "full" : shape_of_count(count);
    } else {
      return "";
    }
  }

  template <typename T, std::size_t... indices>
  std::string shape_of_parts(const std::string& name, const T& value,
                             std::index_sequence<indices...> /*all*/) {
    using std::get;
    std::string text = "(";
    ((text += shape_of(name + "." + std::to_string(indices), get<indices>(value)) + ","), ...);
    text.back() = ')';
    return text;
  }

  template <typename Value>
  void add_equalities(const Values<Value>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Of these the values themselves are told.
      if (values[i].second == Value(0) || values[i].second == Value(1)) continue;
      for (std::size_t k = 0; k < i; ++k) {
        if (values[k].second != values[i].second) continue;
        text_ += values[k].first + "==" + values[i].first + " ";
        break;
      }
    }
  }

  std::string text_;
  Values<long long> numbers_;  // sizes, too
  Values<std::size_t> pointers_;
};

}  // namespace heddle_driver
