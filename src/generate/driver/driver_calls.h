// What the calls of a driver are written with: places for objects under test, results that are kept for later
// calls, and the call itself with its text.
#pragma once

#include <cxxabi.h>

#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <heddle/outcome.h>

#include "driver_interface.h"

#define HEDDLE_DRIVER_UNSEEN __attribute__((noinline, no_sanitize("thread")))

extern "C" {
unsigned char heddle_driver_marks[128];

void heddle_driver_mark(unsigned call) {
  static_cast<volatile unsigned char*>(heddle_driver_marks)[call] = 1;
}
}

namespace heddle_driver {

// Memory for a value that something else begins and ends. Global, so that accesses to it have a name.
template <typename T, typename = void>
union Slot {
  Slot() {}
  ~Slot() {}
  T value;
};
// Nobody can have one in place of an abstract class, or of one that cannot be destroyed.
template <typename T>
union Slot<T, std::enable_if_t<std::is_abstract_v<T> || !std::is_destructible_v<T>>> {
  char none;
};

template <typename T>
void destroy_in_place(void* object) {
  static_cast<T*>(object)->~T();
}

template <typename T>
void destroy_owner(void* owner) {
  delete static_cast<T*>(owner);
}

template <typename T>
void* address(T& object) {
  return const_cast<void*>(static_cast<const void*>(std::addressof(object)));
}

template <typename T>
void place_in_slot(HeddleDriverPlace* place, Slot<T>& slot) {
  *place = {&slot, &slot, std::is_trivially_destructible_v<T> ? nullptr : destroy_in_place<T>};
}

// Something that is not the object but has it.
template <typename T>
struct Owner {
  T value;
};

// The object that an expression makes: itself, by reference, by pointer, or held by what it gives. The
// expression comes as a function, so that what it gives need not be moved.
template <typename Class, typename Make>
void make_object(HeddleDriverPlace* place, Slot<Class>& slot, Make make) {
  using Made = decltype(make());
  using Value = std::remove_cv_t<std::remove_reference_t<Made>>;
  if constexpr (std::is_same_v<Made, Class>) {
    ::new (static_cast<void*>(&slot)) Class(make());
    place_in_slot<Class>(place, slot);
  } else if constexpr (std::is_lvalue_reference_v<Made> && std::is_convertible_v<Made, Class&>) {
    *place = {address(static_cast<Class&>(make())), nullptr, nullptr};
  } else if constexpr (std::is_pointer_v<Value>) {
    Class* object = make();
    if (object == nullptr) throw std::invalid_argument("what should make the object gives a null pointer");
    *place = {address(*object), nullptr, nullptr};
  } else {
    auto* owner = new Owner<Value>{make()};
    *place = {nullptr, owner, destroy_owner<Owner<Value>>};
    if constexpr (std::is_convertible_v<Value&, Class&>) {
      place->object = address(static_cast<Class&>(owner->value));
    } else {
      if constexpr (std::is_constructible_v<bool, const Value&>) {
        if (!static_cast<bool>(owner->value))
          throw std::invalid_argument("what should make the object gives nothing");
      }
      Class& object = *owner->value;
      place->object = address(object);
    }
  }
}

template <typename T>
T& object_of(const HeddleDriverThread* thread) {
  return *static_cast<T*>(heddle_driver_object(thread));
}

template <typename T>
T& other_of(const HeddleDriverThread* thread) {
  return *static_cast<T*>(heddle_driver_other(thread));
}

template <typename Reference>
Reference fixture_of(unsigned fixture) {
  return *static_cast<std::remove_reference_t<Reference>*>(heddle_driver_fixture(fixture));
}

constexpr int kNoKind = -1;  // of a result that no call takes

inline void give(HeddleDriverThread* thread, const std::string& text, bool threw = false) {
  heddle_driver_give(thread, text.data(), text.size(), threw);
}

template <typename T>
std::string save(HeddleDriverThread* thread, int kind, Owner<T>* owner) {
  heddle_driver_save(thread, kind, address(owner->value), owner, destroy_owner<Owner<T>>);
  return heddle::text_of(owner->value);
}

// Whether nobody can tell when such a value ends. Others are kept, so that they do not end in the middle of
// what other threads do.
template <typename T>
struct IsLock : std::false_type {};
template <typename Mutex>
struct IsLock<std::unique_lock<Mutex>> : std::true_type {};
template <typename Mutex>
struct IsLock<std::lock_guard<Mutex>> : std::true_type {};
template <typename Mutex>
struct IsLock<std::shared_lock<Mutex>> : std::true_type {};

template <typename T, typename = void>
struct IsPlain
    : std::bool_constant<std::is_trivially_destructible<T>::value || heddle::detail::IsText<T>::value> {};
template <typename T>
struct IsPlain<
    T, std::enable_if_t<heddle::detail::IsOptional<T>::value && !std::is_trivially_destructible<T>::value>>
    : IsPlain<std::decay_t<decltype(*std::declval<const T&>())>> {};
template <typename T>
struct IsPlain<T, std::enable_if_t<heddle::detail::IsRange<T>::value && !heddle::detail::IsText<T>::value &&
                                   !std::is_trivially_destructible<T>::value>>
    : IsPlain<std::decay_t<decltype(*std::begin(std::declval<const T&>()))>> {};
template <typename First, typename Second>
struct IsPlain<std::pair<First, Second>,
               std::enable_if_t<!std::is_trivially_destructible<std::pair<First, Second>>::value>>
    : std::bool_constant<IsPlain<std::remove_cv_t<First>>::value &&
                         IsPlain<std::remove_cv_t<Second>>::value> {};

// `call` makes the call and gives what it gives, which need not be movable.
template <typename Call>
void give_result(HeddleDriverThread* thread, Call call) {
  using Result = decltype(call());
  if constexpr (std::is_void_v<Result>) {
    call();
    give(thread, heddle::text_of(heddle::detail::Given{}));
  } else if constexpr (std::is_reference_v<Result> || IsPlain<std::remove_cv_t<Result>>::value ||
                       IsLock<std::remove_cv_t<Result>>::value) {
    give(thread, heddle::text_of(call()));
  } else {
    give(thread, save(thread, kNoKind, new Owner<std::remove_cv_t<Result>>{call()}));
  }
}

template <typename T>
T& saved(const HeddleDriverThread* thread, int kind) {
  void* value = heddle_driver_saved(thread, kind);
  if (value == nullptr) throw std::logic_error("there is no earlier result to take");
  return *static_cast<T*>(value);
}

}  // namespace heddle_driver

extern "C" inline __attribute__((used)) void heddle_driver_call(const HeddleDriverOperation* operation,
                                                                HeddleDriverThread* thread) {
  try {
    operation->call(thread);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    heddle_driver::give(thread, heddle::detail::thrown_text(), /*threw=*/true);
  }
}
