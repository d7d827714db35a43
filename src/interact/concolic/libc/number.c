// Numbers of stdlib.h and inttypes.h: strtol and its kin, atoi, abs.
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "interact/concolic/libc/own.h"

static int is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The digit's value, or 36. Of few bits, whatever the character: a bound that shows without its constraints.
static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return (unsigned)c & 15;
  if (c >= 'a' && c <= 'z') return ((unsigned)c & 31) + 9;
  if (c >= 'A' && c <= 'Z') return ((unsigned)c & 31) + 9;
  return 36;
}

// What stands at the beginning of a text: the magnitude is at most `limit`, with is_too_large set beyond it.
struct number {
  unsigned long long magnitude;
  int is_negative;
  int is_too_large;
  const char* end;  // NULL: the base is not valid
};

static struct number read_number(const char* text, int base, unsigned long long positive_limit,
                                 unsigned long long negative_limit) {
  struct number result = {0, 0, 0, text};
  if (base < 0 || base == 1 || base > 36) {
    result.end = NULL;
    return result;
  }
  const char* at = text;
  while (is_space(*at)) ++at;
  if (*at == '-') result.is_negative = 1;
  if (*at == '-' || *at == '+') ++at;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  const unsigned long long limit = result.is_negative ? negative_limit : positive_limit;
  const unsigned long long most = limit / (unsigned)base;
  const unsigned last = (unsigned)(limit % (unsigned)base);
  for (unsigned digit; (digit = digit_of(*at)) < (unsigned)base; ++at) {
    result.end = at + 1;
    if (result.is_too_large) continue;
    if (result.magnitude > most || (result.magnitude == most && digit > last)) {
      result.is_too_large = 1;
      result.magnitude = limit;
    } else {
      result.magnitude = result.magnitude * (unsigned)base + digit;
    }
  }
  return result;
}

static unsigned long long finish(char** end, struct number number) {
  if (number.end == NULL) {
    errno = EINVAL;
    return 0;
  }
  if (end != NULL) *end = (char*)number.end;
  if (number.is_too_large) errno = ERANGE;
  return number.magnitude;
}

static long long to_signed(const char* text, char** end, int base) {
  const struct number number =
      read_number(text, base, (unsigned long long)LLONG_MAX, (unsigned long long)LLONG_MAX + 1);
  const unsigned long long magnitude = finish(end, number);
  return (long long)(number.is_negative ? 0 - magnitude : magnitude);
}

static unsigned long long to_unsigned(const char* text, char** end, int base) {
  const struct number number = read_number(text, base, ULLONG_MAX, ULLONG_MAX);
  const unsigned long long magnitude = finish(end, number);
  return number.is_negative && !number.is_too_large ? 0 - magnitude : magnitude;
}

long OWN(strtol)(const char* text, char** end, int base) {
  return to_signed(text, end, base);
}
long long OWN(strtoll)(const char* text, char** end, int base) {
  return to_signed(text, end, base);
}
intmax_t OWN(strtoimax)(const char* text, char** end, int base) {
  return to_signed(text, end, base);
}
long long OWN(strtoq)(const char* text, char** end, int base) {
  return to_signed(text, end, base);
}
unsigned long OWN(strtoul)(const char* text, char** end, int base) {
  return to_unsigned(text, end, base);
}
unsigned long long OWN(strtoull)(const char* text, char** end, int base) {
  return to_unsigned(text, end, base);
}
uintmax_t OWN(strtoumax)(const char* text, char** end, int base) {
  return to_unsigned(text, end, base);
}
int OWN(atoi)(const char* text) {
  return (int)to_signed(text, NULL, 10);
}
long OWN(atol)(const char* text) {
  return to_signed(text, NULL, 10);
}
long long OWN(atoll)(const char* text) {
  return to_signed(text, NULL, 10);
}

int OWN(abs)(int value) {
  return value < 0 ? (int)(0U - (unsigned)value) : value;
}
long OWN(labs)(long value) {
  return value < 0 ? (long)(0UL - (unsigned long)value) : value;
}
long long OWN(llabs)(long long value) {
  return value < 0 ? (long long)(0ULL - (unsigned long long)value) : value;
}
