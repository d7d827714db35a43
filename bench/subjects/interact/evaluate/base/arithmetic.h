// Arithmetic that tells when a result does not fit.
#pragma once

#include "value.h"

enum arithmetic_error { ARITHMETIC_OK, NOT_AN_INTEGER, OUT_OF_RANGE, DIVISION_BY_ZERO };

// `operation` is one of + - * / %
enum arithmetic_error calculate(char operation, const struct value* a, const struct value* b,
                                struct value* result);

const char* describe_arithmetic_error(enum arithmetic_error error);
