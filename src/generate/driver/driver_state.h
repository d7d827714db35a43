// The abstract state of an object: of each field, what kind of value it has, and which numbers and pointers
// are equal. Objects with equal states need not be equal, but calls mostly do the same on them.
//
// A queue of two elements and one of three have the same state, unless one of them is full: then its size
// equals its capacity.
//
// Of a field whose class has fields that are known (FieldsOf), the state has those: "lock.owner",
// "impl->size". Of several such objects in an array or a container it has how many there are of each kind.
// What is reached through itself is not looked into again: of a list, the state has the first node, and
// whether others follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <heddle/outcome.h>

#include "driver_interface.h"
#include "driver_shapes.h"

namespace heddle_driver {

// What else could be told of an object would make each of them a kind of its own.
constexpr int kDeepest = 3;                 // elements of elements of what pointers point to
constexpr std::size_t kMostElements = 64;   // that are looked into
constexpr std::size_t kMostNumbers = 4096;  // of an array that are looked at
constexpr std::size_t kLongestState = 4000;

template <typename T>
struct TypeMark {
  static constexpr char here = 0;
};

class State {
 public:
  // Of an object of this size, one of those under test.
  explicit State(std::size_t size) : size_(size) {}

  template <typename T>
  void read(const T& object) {
    add_fields("", object);
  }

  template <typename T>
  void add(const char* name, const T& value) {
    using Value = Plain<T>;
    const std::string full = prefix_ + name;
    if constexpr (FieldsOf<Value>::value) {
      pointers_.emplace_back(full, reinterpret_cast<std::size_t>(std::addressof(value)));
      add_fields(full + ".", value);
    } else if constexpr (heddle::detail::IsAtomic<Value>::value) {
      if constexpr (kPointsToKnown<decltype(value.load())>)
        add(name, value.load());
      else
        add_shape(full, value);
    } else if constexpr (kPointsToKnown<Value>) {
      add_shape(full, value);
      const auto* pointee = pointee_of(value);
      if (!can_read(pointee)) return;
      ++depth_;
      add_fields(full + "->", *pointee);
      --depth_;
    } else {
      add_shape(full, value);
    }
  }

  // A reference: nobody knows how long it is valid.
  template <typename T>
  void add_referred(const char* name, const T& value) {
    if constexpr (FieldsOf<Plain<T>>::value)
      add(name, std::addressof(value));
    else
      add(name, value);
  }

  void give() {
    add_equalities();
    if (!text_.empty()) text_.pop_back();
    shorten();
    heddle_driver_give_state(text_.data(), text_.size());
  }

 private:
  template <typename Value>
  using Values = std::vector<std::pair<std::string, Value>>;

  template <typename T>
  void add_shape(const std::string& name, const T& value) {
    const std::string shape = shape_of(name, value);
    if (!shape.empty()) text_ += name + (name.empty() ? "" : "=") + shape + " ";
  }

  template <typename T>
  bool is_being_read() const {
    return std::find(path_.begin(), path_.end(), &TypeMark<Plain<T>>::here) != path_.end();
  }

  template <typename T>
  void add_fields(std::string prefix, const T& object) {
    if (is_being_read<T>()) return;
    path_.push_back(&TypeMark<Plain<T>>::here);
    prefix_.swap(prefix);
    FieldsOf<Plain<T>>::add(*this, object);
    prefix_.swap(prefix);
    path_.pop_back();
  }

  template <typename Pointer>
  static const typename KnownPointee<Pointer>::Type* pointee_of(const Pointer& pointer) {
    using Pointee = const typename KnownPointee<Pointer>::Type;
    if constexpr (std::is_pointer_v<Pointer>)
      return const_cast<Pointee*>(pointer);
    else
      return const_cast<Pointee*>(pointer.get());
  }

  // A pointer may have been left behind by what it pointed to, or have marks in its bits.
  template <typename T>
  bool can_read(const T* pointer) const {
    if (pointer == nullptr || depth_ >= kDeepest || is_being_read<T>()) return false;
    return is_alive(reinterpret_cast<std::uintptr_t>(pointer), sizeof(T), alignof(T));
  }

  bool is_alive(std::uintptr_t address, std::size_t size, std::size_t alignment) const {
    if (address % alignment != 0) return false;
    const auto object = reinterpret_cast<std::uintptr_t>(heddle_driver_object(nullptr));
    const auto other = reinterpret_cast<std::uintptr_t>(heddle_driver_other(nullptr));
    for (const std::uintptr_t known : {object, other}) {
      if (address >= known && address - known < size_ && size_ - (address - known) >= size) return true;
    }
    return heddle_rt_is_allocated != nullptr &&
           heddle_rt_is_allocated(reinterpret_cast<const void*>(address), size);
  }

  // Empty if nothing is known of such a value.
  template <typename T>
  std::string shape_of(const std::string& name, const T& value) {
    namespace known = heddle::detail;
    using Value = Plain<T>;
    if constexpr (FieldsOf<Value>::value) {
      return shape_of_inside([&] { add_fields("", value); });
    } else if constexpr (std::is_same_v<Value, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<Value>) {
      note_number(name, value);
      return shape_of_number<Value>(value);
    } else if constexpr (std::is_enum_v<Value>) {
      return std::to_string(static_cast<long long>(value));
    } else if constexpr (std::is_array_v<Value>) {
      return shape_of_all(std::begin(value), std::end(value));
    } else if constexpr (std::is_pointer_v<Value>) {
      if constexpr (std::is_object_v<std::remove_pointer_t<Value>>)
        pointers_.emplace_back(name, reinterpret_cast<std::size_t>(value));
      return value == nullptr ? "null" : "non-null";
    } else if constexpr (known::IsAtomic<Value>::value) {
      return shape_of_atomic(name, value.load());
    } else if constexpr (known::IsOptional<Value>::value) {
      if constexpr (std::is_void_v<decltype(*value)>)
        return value.has_value() ? "some" : "none";
      else
        return value.has_value() ? "some" + inside_of_content(*value) : "none";
    } else if constexpr (known::IsVariant<Value>::value) {
      return shape_of_variant(value);
    } else if constexpr (known::IsDuration<Value>::value) {
      return shape_of_number(value.count());
    } else if constexpr (known::IsTimePoint<Value>::value) {
      return shape_of_number(value.time_since_epoch().count());
    } else if constexpr (HasSize<Value>::value) {
      return shape_of_range(name, value);
    } else if constexpr (known::IsTuple<Value>::value) {
      return shape_of_parts(name, value, std::make_index_sequence<std::tuple_size<Value>::value>{});
    } else if constexpr (HasEmpty<Value>::value) {
      return value.empty() ? "empty" : "many";
    } else if constexpr (known::IsSmartPointer<Value>::value) {
      if constexpr (std::is_convertible_v<decltype(value.get()), const volatile void*>)
        pointers_.emplace_back(name, reinterpret_cast<std::size_t>(value.get()));
      return value == nullptr ? "null" : "non-null";
    } else if constexpr (known::IsWeakPointer<Value>::value) {
      return value.expired() ? "expired" : "alive";
    } else if constexpr (HasJoinable<Value>::value) {
      return value.joinable() ? "runs" : "none";
    } else if constexpr (known::ComparesWithNull<Value>::value) {
      return value == nullptr ? "null" : "non-null";
    } else {
      return "";
    }
  }

  template <typename T>
  void note_number(const std::string& name, T value) {
    if constexpr (std::is_integral_v<T>) numbers_.emplace_back(name, static_cast<long long>(value));
  }

  template <typename T>
  std::string shape_of_atomic(const std::string& name, const T& value) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      note_number(name, value);
      return shape_of_atomic_number(value);
    } else {
      return shape_of(name, value);
    }
  }

  // What is found inside has names and equalities of its own. Its texts are values that somebody has put
  // there.
  template <typename Add>
  std::string shape_of_inside(Add add) {
    if (depth_ >= kDeepest) return "";
    std::string prefix;
    std::string text;
    Values<long long> numbers;
    Values<std::size_t> pointers;
    const auto exchange = [&] {
      prefix.swap(prefix_);
      text.swap(text_);
      numbers.swap(numbers_);
      pointers.swap(pointers_);
    };
    exchange();
    ++depth_;
    ++inside_;
    add();
    --inside_;
    --depth_;
    add_equalities();
    if (!text_.empty()) text_.pop_back();
    exchange();
    return "{" + text + "}";
  }

  template <typename T>
  std::string inside_of_content(const T& value) {
    if constexpr (IsStructured<Plain<T>>::value)
      return shape_of_inside([&] { add("", value); });
    else
      return "";
  }

  template <typename T>
  std::string shape_of_variant(const T& value) {
    std::string shape = std::to_string(value.index());
    if (!value.valueless_by_exception())
      visit([&](const auto& content) { shape += inside_of_content(content); }, value);
    return shape;
  }

  template <typename T>
  std::string shape_of_range(const std::string& name, const T& value) {
    namespace known = heddle::detail;
    // The size of a std::array says nothing.
    if constexpr (known::IsTuple<T>::value) {
      return shape_of_all(value.begin(), value.end());
    } else {
      if (known::IsText<T>::value && inside_ > 0) return "";
      const auto size = static_cast<std::size_t>(value.size());
      std::string shape = shape_of_count(size);
      if constexpr (known::IsText<T>::value)
        shape += is_outside(value) ? " long" : is_filling(value) ? " half" : "";
      // The length of a text is no number to compare others with.
      if constexpr (!known::IsText<T>::value) {
        note_number(name, size);
        if constexpr (known::IsRange<T>::value)
          shape += shape_of_structured(std::begin(value), std::end(value), /*must_be_alive=*/true);
      }
      return shape;
    }
  }

  // Texts that are too long for their objects have memory of their own, which calls access instead.
  template <typename T>
  static bool is_outside(const T& text) {
    const auto begin = reinterpret_cast<std::uintptr_t>(std::addressof(text));
    const auto content = reinterpret_cast<std::uintptr_t>(std::string_view(text).data());
    return content < begin || content - begin >= sizeof(T);
  }

  // A call that makes a text longer moves it out of its object if little room is left there.
  template <typename T>
  static bool is_filling(const T& text) {
    if constexpr (HasCapacity<T>::value)
      return 2 * text.size() > text.capacity();
    else
      return false;
  }

  // Of an array: of numbers, how many are not what they are in the beginning.
  template <typename Iterator>
  std::string shape_of_all(Iterator begin, Iterator end) {
    using Element = Plain<decltype(*begin)>;
    if constexpr (std::is_scalar_v<Element> && !kPointsToKnown<Element>) {
      return shape_of_numbers(begin, end, [](const Element& element) { return element; });
    } else if constexpr (heddle::detail::IsAtomic<Element>::value && !IsStructured<Element>::value) {
      return shape_of_numbers(begin, end, [](const Element& element) { return element.load(); });
    } else {
      return shape_of_structured(begin, end, /*must_be_alive=*/false);
    }
  }

  template <typename Iterator, typename Read>
  static std::string shape_of_numbers(Iterator begin, Iterator end, Read read) {
    using Number = decltype(read(*begin));
    if constexpr (std::is_scalar_v<Number>) {
      std::size_t count = 0;
      std::size_t all = 0;
      for (; begin != end && all < kMostNumbers; ++begin, ++all) count += read(*begin) == Number() ? 0 : 1;
      return count != 0 && count == all ? "full" : shape_of_count(count);
    } else {
      return "";
    }
  }

  // How many there are of each kind.
  template <typename Iterator>
  std::string shape_of_structured(Iterator begin, Iterator end, bool must_be_alive) {
    using Reference = decltype(*begin);
    if constexpr (IsStructured<Plain<Reference>>::value) {
      if (depth_ >= kDeepest) return "";
      std::map<std::string, std::size_t> kinds;
      std::size_t all = 0;
      for (; begin != end && all < kMostElements; ++begin, ++all) {
        Reference element = *begin;
        if (must_be_alive && !is_alive(reinterpret_cast<std::uintptr_t>(std::addressof(element)),
                                       sizeof(element), alignof(Plain<Reference>)))
          break;
        ++kinds[shape_of_inside([&] { add_element(element); })];
      }
      std::string text;
      for (const auto& [kind, count] : kinds)
        text += kind + "*" + (count == all ? "all" : shape_of_count(count)) + ",";
      if (!text.empty()) text.back() = ']';
      return text.empty() ? "" : "[" + text;
    } else {
      return "";
    }
  }

  // Keys say as little as other plain values.
  template <typename T>
  void add_element(const T& element) {
    if constexpr (FieldsOf<T>::value)
      add_fields("", element);
    else if constexpr (heddle::detail::IsTuple<T>::value && !HasSize<T>::value)
      add_structured_parts(element, std::make_index_sequence<std::tuple_size<T>::value>{});
    else
      add("", element);
  }

  template <typename T, std::size_t... indices>
  void add_structured_parts(const T& value, std::index_sequence<indices...> /*all*/) {
    using std::get;
    const auto add_part = [this](const auto& part) {
      if constexpr (IsStructured<Plain<decltype(part)>>::value) add_element(part);
    };
    (add_part(get<indices>(value)), ...);
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

  void add_equalities() {
    add_equalities_of(numbers_);
    add_equalities_of(pointers_);
  }

  template <typename Value>
  void add_equalities_of(const Values<Value>& values) {
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

  // Long states can still be told apart.
  void shorten() {
    if (text_.size() <= kLongestState) return;
    std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
    for (const char letter : text_) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
    text_.resize(kLongestState);
    text_ += "... " + std::to_string(hash);
  }

  const std::size_t size_;
  std::string prefix_;  // of the fields that are being added
  std::string text_;
  Values<long long> numbers_;  // sizes, too
  Values<std::size_t> pointers_;
  std::vector<const char*> path_;  // marks of the classes that are being read
  int depth_ = 0;
  int inside_ = 0;  // of how many elements
};

}  // namespace heddle_driver
