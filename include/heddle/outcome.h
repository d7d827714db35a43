// What calls give, as texts that tests can compare. Include <heddle/outcome.h>.
//
// heddle::text_of(value) makes a text of any value, one that is the same in every execution: never an
// address, and elements of unordered containers in an order of their own. HEDDLE_OUTCOME(call) is the text of
// what a call gives back, "done" if that is nothing, or of the exception that leaves it. heddle::is_one_of is
// a predicate for EXPECT_PRED2. C++17 or later.
#ifndef HEDDLE_OUTCOME_H
#define HEDDLE_OUTCOME_H

#if __cplusplus < 201703L
#error "heddle/outcome.h needs C++17 or later"
#endif

#include <cxxabi.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace heddle {

template <typename T>
std::string text_of(const T& value);

// For types that have no text of their own: specialisations have `static std::string text(const T& value)`.
template <typename T>
struct TextOf;

// "{low: 1, high: 2}", of names and values in turns.
inline std::string text_of_fields() {
  return "{}";
}
template <typename T, typename... Rest>
std::string text_of_fields(std::string_view name, const T& value, const Rest&... rest) {
  std::string text = "{" + std::string(name) + ": " + heddle::text_of(value);
  const std::string others = heddle::text_of_fields(rest...);
  return text + (sizeof...(rest) == 0 ? "}" : ", " + others.substr(1));
}

// Reads them, as a function would that is given these.
template <typename... T>
void look_at(const T&... values) {
  (static_cast<void>(heddle::text_of(values)), ...);
}

namespace detail {

constexpr std::size_t kLongestString = 200;  // what is longer is cut; its size is told
constexpr std::size_t kMostElements = 40;

// Values of the standard library are known by what one can do with them, so that none of its headers is
// needed.
template <typename T, typename = void>
struct IsRange : std::false_type {};
// A path is a range of paths: taken apart, it would never end.
template <typename T>
struct IsRange<
    T, std::void_t<decltype(std::begin(std::declval<const T&>()) != std::end(std::declval<const T&>())),
                   decltype(*std::begin(std::declval<const T&>()))>>
    : std::bool_constant<!std::is_same_v<std::decay_t<decltype(*std::begin(std::declval<const T&>()))>, T>> {
};

template <typename T, typename = void>
struct HasTextOf : std::false_type {};
template <typename T>
struct HasTextOf<T, std::void_t<decltype(TextOf<T>::text(std::declval<const T&>()))>> : std::true_type {};

template <typename T, typename = void>
struct IsHashed : std::false_type {};
template <typename T>
struct IsHashed<T, std::void_t<typename T::hasher>> : std::true_type {};

template <typename T, typename = void>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<
    T, std::void_t<decltype(std::declval<const T&>().has_value()), decltype(*std::declval<const T&>())>>
    : std::true_type {};

template <typename T, typename = void>
struct HasError : std::false_type {};
template <typename T>
struct HasError<T, std::void_t<decltype(std::declval<const T&>().error())>> : std::true_type {};

template <typename T, typename = void>
struct IsTuple : std::false_type {};
template <typename T>
struct IsTuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};

template <typename T, typename = void>
struct IsVariant : std::false_type {};
template <typename T>
struct IsVariant<T, std::void_t<decltype(std::declval<const T&>().valueless_by_exception()),
                                decltype(std::declval<const T&>().index())>> : std::true_type {};

template <typename T, typename = void>
struct IsDuration : std::false_type {};
template <typename T>
struct IsDuration<
    T, std::void_t<typename T::rep, decltype(T::period::num), decltype(std::declval<const T&>().count())>>
    : std::true_type {};

template <typename T, typename = void>
struct IsTimePoint : std::false_type {};
template <typename T>
struct IsTimePoint<T, std::void_t<typename T::clock, decltype(std::declval<const T&>().time_since_epoch())>>
    : std::true_type {};

template <typename T, typename = void>
struct IsSmartPointer : std::false_type {};
template <typename T>
struct IsSmartPointer<
    T, std::void_t<typename T::element_type, decltype(std::declval<const T&>().get() == nullptr)>>
    : std::true_type {};

// Pointers to arrays are not: they do not say how many there are.
template <typename T, typename = void>
struct PointsToOne : std::false_type {};
template <typename T>
struct PointsToOne<T, std::void_t<decltype(*std::declval<const T&>())>> : std::true_type {};

template <typename T, typename = void>
struct IsWeakPointer : std::false_type {};
template <typename T>
struct IsWeakPointer<T, std::void_t<decltype(std::declval<const T&>().expired())>> : std::true_type {};

template <typename T, typename = void>
struct IsAtomic : std::false_type {};
template <typename T>
struct IsAtomic<T, std::void_t<typename T::value_type, decltype(std::declval<const T&>().is_lock_free()),
                               decltype(std::declval<const T&>().load())>> : std::true_type {};

template <typename T, typename = void>
struct IsReferenceWrapper : std::false_type {};
template <typename T>
struct IsReferenceWrapper<
    T, std::enable_if_t<std::is_lvalue_reference_v<decltype(std::declval<const T&>().get())> &&
                        std::is_convertible_v<const T&, typename T::type&>>> : std::true_type {};

template <typename T, typename = void>
struct IsIterator : std::false_type {};
template <typename T>
struct IsIterator<T, std::void_t<typename std::iterator_traits<T>::iterator_category>> : std::true_type {};

template <typename T, typename = void>
struct IsPrintable : std::false_type {};
// What turns into a pointer would be printed as an address, and so is the id of a thread.
template <typename T>
struct IsPrintable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>>
    : std::bool_constant<!std::is_convertible_v<const T&, const void*>> {};

template <typename T, typename = void>
struct ComparesWithNull : std::false_type {};
template <typename T>
struct ComparesWithNull<T, std::void_t<decltype(static_cast<bool>(std::declval<const T&>() == nullptr))>>
    : std::true_type {};

template <typename T, typename = void>
struct IsText : std::false_type {};
template <typename T>
struct IsText<T, std::enable_if_t<std::is_convertible_v<const T&, std::string_view> &&
                                  (std::is_pointer_v<T> || std::is_array_v<T> ||
                                   std::is_same_v<typename T::value_type, char>)>> : std::true_type {};
template <>
struct IsText<const char*> : std::true_type {};
template <>
struct IsText<char*> : std::true_type {};
template <std::size_t size>
struct IsText<char[size]> : std::true_type {};

inline std::string quoted(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size() && i < kLongestString; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[i];
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      out += text[i];
    }
  }
  out += '"';
  if (text.size() > kLongestString) out += "... (" + std::to_string(text.size()) + " characters)";
  return out;
}

inline std::string character_text(char value) {
  if (value == '\'') return "'\\''";
  if (value == '"') return "'\"'";
  std::string text = quoted({&value, 1});
  text.front() = text.back() = '\'';
  return text;
}

// As short as it can be and still be the same number.
template <typename T>
std::string floating_text(T value) {
  if (value != value) return "nan";
  for (int digits = 6;; digits += 3) {
    std::ostringstream out;
    out.precision(digits);
    out << value;
    if (digits > 20 || static_cast<T>(std::strtold(out.str().c_str(), nullptr)) == value) return out.str();
  }
}

template <typename T>
std::string number_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    return character_text(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return floating_text(value);
  } else if constexpr (std::is_signed_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else {
    return std::to_string(static_cast<unsigned long long>(value));
  }
}

inline std::string joined(const char* begin, const std::vector<std::string>& parts, std::size_t count,
                          const char* end) {
  std::string text = begin;
  for (std::size_t i = 0; i < parts.size() && i < kMostElements; ++i) {
    if (i > 0) text += ", ";
    text += parts[i];
  }
  if (count > kMostElements) text += ", ... " + std::to_string(count) + " in all";
  return text + end;
}

template <typename T>
std::string range_text(const T& range) {
  using Element = std::decay_t<decltype(*std::begin(range))>;
  std::vector<std::string> parts;
  std::multiset<std::string> sorted;
  std::size_t count = 0;
  const auto end = std::end(range);
  for (auto at = std::begin(range); at != end; ++at, ++count) {
    if constexpr (IsHashed<T>::value) {
      sorted.insert(heddle::text_of(*at));
    } else if (count < kMostElements) {
      // An element that stands for a bit of a vector<bool> is a bool.
      if constexpr (std::is_convertible_v<Element, bool> && std::is_class_v<Element> &&
                    std::is_same_v<typename T::value_type, bool>)
        parts.push_back(number_text(static_cast<bool>(*at)));
      else
        parts.push_back(heddle::text_of(*at));
    }
  }
  parts.insert(parts.end(), sorted.begin(), sorted.end());
  return joined("{", parts, count, "}");
}

template <typename T, std::size_t... indices>
std::string tuple_text(const T& value, std::index_sequence<indices...> /*all*/) {
  using std::get;
  const std::vector<std::string> parts = {heddle::text_of(get<indices>(value))...};
  return joined("(", parts, parts.size(), ")");
}

template <typename T>
std::string optional_text(const T& value) {
  if (value.has_value()) {
    if constexpr (std::is_void_v<decltype(*value)>)
      return "done";
    else
      return heddle::text_of(*value);
  }
  if constexpr (HasError<T>::value)
    return "error " + heddle::text_of(value.error());
  else
    return "none";
}

template <typename T>
std::string variant_text(const T& value) {
  if (value.valueless_by_exception()) return "valueless";
  return std::to_string(value.index()) + ": " +
         visit([](const auto& held) { return heddle::text_of(held); }, value);
}

template <typename T>
std::string duration_text(const T& value) {
  constexpr auto kNumerator = T::period::num;
  constexpr auto kDenominator = T::period::den;
  const char* unit = kNumerator == 60             ? "min"
                     : kNumerator == 3600         ? "h"
                     : kDenominator == 1000       ? "ms"
                     : kDenominator == 1000000    ? "us"
                     : kDenominator == 1000000000 ? "ns"
                                                  : "s";
  std::string text = number_text(value.count());
  const bool is_known = *unit != 's';
  if (!is_known && kNumerator != 1) text += "*" + std::to_string(kNumerator);
  if (!is_known && kDenominator != 1) text += "/" + std::to_string(kDenominator);
  return text + " " + unit;
}

template <typename T>
std::string printed_text(const T& value) {
  // This name has that of the type in it, whose header may not be there.
  if (std::string_view(__PRETTY_FUNCTION__).find("std::thread::id") != std::string_view::npos)
    return "thread id";
  std::ostringstream out;
  out << value;
  return out.str();
}

// What a pointer points to, if that has a text of its own.
template <typename T>
std::string pointee_text(const T& pointer) {
  if (pointer.get() == nullptr) return "null";
  using Pointee = std::remove_cv_t<typename T::element_type>;
  if constexpr (!PointsToOne<T>::value || std::is_void_v<Pointee>) {
    return "non-null";
  } else if constexpr (std::is_arithmetic_v<Pointee> || std::is_enum_v<Pointee> || IsText<Pointee>::value ||
                       IsRange<Pointee>::value || IsPrintable<Pointee>::value || IsTuple<Pointee>::value ||
                       IsOptional<Pointee>::value || HasTextOf<Pointee>::value) {
    return "-> " + heddle::text_of(*pointer.get());
  } else {
    return "non-null";
  }
}

// What an expression has given, for any expression: `(call(), Given{})`. The left side is Given{} itself if
// the call gives nothing.
struct Given {};
template <typename T>
constexpr T&& operator,(T&& value, Given /*mark*/) {
  return static_cast<T&&>(value);
}

inline std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

#ifdef __cpp_exceptions
// Of the exception that is being handled.
inline std::string thrown_text() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  const std::string text = "threw " + (type == nullptr ? "a foreign exception" : demangled(type->name()));
  try {
    throw;
  } catch (const std::exception& exception) {
    const std::string_view what = exception.what();
    return text + ": " + std::string(what.substr(0, kLongestString));
  } catch (const std::string& thrown) {
    return text + ": " + heddle::text_of(thrown);
  } catch (const char* thrown) {
    return text + ": " + heddle::text_of(thrown);
  } catch (int thrown) {
    return text + ": " + heddle::text_of(thrown);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    return text;
  }
}

#endif

template <typename Call>
std::string outcome_of(Call call) {
#ifndef __cpp_exceptions
  return call();
#else
  try {
    return call();
  } catch (const abi::__forced_unwind&) {
    throw;  // the end of a thread is not an outcome
  } catch (...) {
    return thrown_text();
  }
#endif
}

}  // namespace detail

template <typename T>
std::string text_of(const T& value) {
  using namespace detail;
  if constexpr (std::is_same_v<T, Given>) {
    return "done";
  } else if constexpr (HasTextOf<T>::value) {
    return TextOf<T>::text(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_text(value);
  } else if constexpr (std::is_enum_v<T>) {
    using Number = std::underlying_type_t<T>;
    // Plus makes a number of an enumeration of characters.
    return number_text(+static_cast<Number>(value));
  } else if constexpr (std::is_function_v<T>) {
    return "function";
  } else if constexpr (std::is_null_pointer_v<T>) {
    return "null";
  } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    return value == nullptr ? "null" : quoted(value);
  } else if constexpr (std::is_array_v<T> && IsText<T>::value) {
    const std::string_view text(value, std::extent_v<T>);
    return quoted(text.substr(0, text.find('\0')));
  } else if constexpr (std::is_pointer_v<T> || std::is_member_pointer_v<T>) {
    return value == nullptr ? "null" : "non-null";
  } else if constexpr (IsText<T>::value) {
    return quoted(static_cast<std::string_view>(value));
  } else if constexpr (IsAtomic<T>::value) {
    return heddle::text_of(value.load());
  } else if constexpr (IsOptional<T>::value) {
    return optional_text(value);
  } else if constexpr (IsVariant<T>::value) {
    return variant_text(value);
  } else if constexpr (IsRange<T>::value) {
    return range_text(value);
  } else if constexpr (IsTuple<T>::value) {
    return tuple_text(value, std::make_index_sequence<std::tuple_size<T>::value>{});
  } else if constexpr (IsDuration<T>::value) {
    return duration_text(value);
  } else if constexpr (IsTimePoint<T>::value) {
    return "a time";  // when that is, differs with the schedule
  } else if constexpr (IsReferenceWrapper<T>::value) {
    return heddle::text_of(value.get());
  } else if constexpr (IsSmartPointer<T>::value) {
    return pointee_text(value);
  } else if constexpr (IsWeakPointer<T>::value) {
    return value.expired() ? "expired" : "alive";
  } else if constexpr (IsPrintable<T>::value) {
    return printed_text(value);
  } else if constexpr (IsIterator<T>::value) {
    return "iterator";
  } else if constexpr (ComparesWithNull<T>::value) {
    return value == nullptr ? "null" : "non-null";
  } else {
    return "object";
  }
}

// Whether the results are those of one of the orders.
inline bool is_one_of(const std::vector<std::string>& results,
                      const std::vector<std::vector<std::string>>& orders) {
  for (const std::vector<std::string>& order : orders) {
    if (order == results) return true;
  }
  return false;
}

// Keeps what calls give until the end of its scope, whichever thread makes them: a handle that ended at once
// would give back what it stands for in the middle of what other threads do. Orders no threads itself.
class Kept {
 public:
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    for (Entry* entry = last_.load(std::memory_order_relaxed); entry != nullptr;) {
      Entry* const before = entry->before;
      delete entry;
      entry = before;
    }
  }

  template <typename T>
  T& operator()(T value) {
    auto* entry = new EntryOf<T>(std::move(value));
    T& kept = entry->value;
    entry->before = last_.exchange(entry, std::memory_order_relaxed);
    return kept;
  }

 private:
  struct Entry {
    virtual ~Entry() = default;
    Entry* before = nullptr;
  };
  template <typename T>
  struct EntryOf : Entry {
    explicit EntryOf(T&& given) : value(std::move(given)) {}
    T value;
  };

  std::atomic<Entry*> last_{nullptr};
};

}  // namespace heddle

// The text of what the call gives back, or of the exception that leaves it.
#define HEDDLE_OUTCOME(...) \
  ::heddle::detail::outcome_of([&] { return ::heddle::text_of(((__VA_ARGS__), ::heddle::detail::Given{})); })

#endif  // HEDDLE_OUTCOME_H
