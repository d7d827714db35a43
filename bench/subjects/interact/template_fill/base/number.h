// Numbers: from text and to text.
#pragma once

#include <cstdint>
#include <string>

#include "options.h"

struct Number {
  bool is_negative = false;
  uint64_t magnitude = 0;
};

// Digits with a sign before and one of k, M, G, T, P, E behind, perhaps. False: it is none, or too large.
bool read_number(const std::string& text, Number* number);

std::string decimal_digits(uint64_t value);
std::string hexadecimal_digits(uint64_t value);

// "1234567" is "1,234,567".
std::string grouped(const std::string& digits);

// With one decimal and the unit that leaves one to three digits before it: "12.3k".
std::string with_unit(uint64_t value, Rounding rounding);
// Without decimals: "12Ki".
std::string with_binary_unit(uint64_t value, Rounding rounding);
