#include "number.h"

#include <cstdio>
#include <cstring>

namespace {

constexpr char kUnits[] = "kMGTPE";
constexpr int kMostUnits = 6;

// Up to this, a number can be multiplied by ten and have a digit added.
constexpr uint64_t kMostBeforeDigit = (UINT64_MAX - 9) / 10;
constexpr uint64_t kMostBeforeUnit = UINT64_MAX / 1000;

std::string printed(const char* format, uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof(text), format, static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

bool read_number(const std::string& text, Number* number) {
  *number = {};
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    number->is_negative = text[at] == '-';
    ++at;
  }
  const size_t first = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    if (number->magnitude > kMostBeforeDigit) return false;
    number->magnitude = 10 * number->magnitude + static_cast<uint64_t>(text[at++] - '0');
  }
  if (at == first) return false;
  if (at == text.size()) return true;
  const char* unit = std::strchr(kUnits, text[at]);
  if (unit == nullptr || text[at] == '\0' || at + 1 != text.size()) return false;
  for (const char* power = kUnits; power <= unit; ++power) {
    if (number->magnitude > kMostBeforeUnit) return false;
    number->magnitude *= 1000;
  }
  return true;
}

std::string decimal_digits(uint64_t value) {
  return printed("%llu", value);
}

std::string hexadecimal_digits(uint64_t value) {
  return printed("%llx", value);
}

std::string grouped(const std::string& digits) {
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string with_unit(uint64_t value, Rounding rounding) {
  int power = 0;
  uint64_t unit = 1;
  while (power < kMostUnits && value >= 1000 * unit) {
    unit *= 1000;
    ++power;
  }
  if (power == 0) return decimal_digits(value);
  uint64_t tenths = value * 10 / unit;
  if (rounding == Rounding::kUp) {
    tenths = (value * 10 + unit - 1) / unit;
    if (tenths >= 10000 && power < kMostUnits) {
      // 999.9k is 1.0M.
      tenths /= 1000;
      ++power;
    }
  }
  std::string text = decimal_digits(tenths / 10);
  text += '.';
  text += static_cast<char>('0' + tenths % 10);
  text += kUnits[power - 1];
  return text;
}

std::string with_binary_unit(uint64_t value, Rounding rounding) {
  int power = 0;
  bool is_exact = true;
  while (power < kMostUnits && value >= 1024) {
    is_exact = is_exact && value % 1024 == 0;
    value /= 1024;
    ++power;
  }
  if (rounding == Rounding::kUp && !is_exact) ++value;
  std::string text = decimal_digits(value);
  if (power == 0) return text;
  text += power == 1 ? 'K' : kUnits[power - 1];
  text += 'i';
  return text;
}
