#include "arithmetic.h"

static bool add(int64_t a, int64_t b, int64_t* sum) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return false;
  *sum = a + b;
  return true;
}

static bool subtract(int64_t a, int64_t b, int64_t* difference) {
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) return false;
  *difference = a - b;
  return true;
}

static uint64_t magnitude_of(int64_t integer) {
  return integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
}

static bool multiply(int64_t a, int64_t b, int64_t* product) {
  const bool is_negative = (a < 0) != (b < 0);
  const uint64_t left = magnitude_of(a);
  const uint64_t right = magnitude_of(b);
  const uint64_t most = is_negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
  if (right != 0 && left > most / right) return false;
  const uint64_t magnitude = left * right;
  *product = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
  return true;
}

static enum arithmetic_error divide(char operation, int64_t a, int64_t b, int64_t* result) {
  if (b == 0) return DIVISION_BY_ZERO;
  if (b == -1) {
    if (operation == '/' && a == INT64_MIN) return OUT_OF_RANGE;
    *result = operation == '/' ? -a : 0;
    return ARITHMETIC_OK;
  }
  *result = operation == '/' ? a / b : a % b;
  return ARITHMETIC_OK;
}

enum arithmetic_error calculate(char operation, const struct value* a, const struct value* b,
                                struct value* result) {
  if (!a->is_integer || !b->is_integer) return NOT_AN_INTEGER;
  int64_t integer = 0;
  enum arithmetic_error error = ARITHMETIC_OK;
  switch (operation) {
    case '+':
      if (!add(a->integer, b->integer, &integer)) error = OUT_OF_RANGE;
      break;
    case '-':
      if (!subtract(a->integer, b->integer, &integer)) error = OUT_OF_RANGE;
      break;
    case '*':
      if (!multiply(a->integer, b->integer, &integer)) error = OUT_OF_RANGE;
      break;
    default:
      error = divide(operation, a->integer, b->integer, &integer);
      break;
  }
  if (error == ARITHMETIC_OK) *result = integer_value(integer);
  return error;
}

const char* describe_arithmetic_error(enum arithmetic_error error) {
  switch (error) {
    case ARITHMETIC_OK:
      return "no error";
    case NOT_AN_INTEGER:
      return "an integer is needed";
    case OUT_OF_RANGE:
      return "the result is out of range";
    case DIVISION_BY_ZERO:
      return "division by zero";
  }
  return "unknown error";
}
