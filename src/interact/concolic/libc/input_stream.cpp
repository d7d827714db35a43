// std::cin: a buffer that reads as stdin's functions do here. The templates of the C++ library that read from
// it are compiled into the program; those that are only in the library have doubles here, under their mangled
// names.
#include <cstdio>
#include <iostream>
#include <istream>
#include <limits>
#include <new>
#include <string>

extern "C" int heddle_concolic_libc_fgetc(FILE* stream);

namespace {

// Without a buffer of its own, so that it mixes with stdio as std::cin does.
class RecordedInput : public std::streambuf {
 protected:
  int_type underflow() override {
    const int c = heddle_concolic_libc_fgetc(stdin);
    if (c != EOF) std::ungetc(c, stdin);
    return c;
  }
  int_type uflow() override {
    last_ = heddle_concolic_libc_fgetc(stdin);
    return last_;
  }
  int_type pbackfail(int_type c) override {
    const int put_back = c == EOF ? last_ : c;
    last_ = EOF;
    return put_back == EOF ? EOF : std::ungetc(put_back, stdin);
  }

 private:
  int_type last_ = EOF;
};

RecordedInput recorded_input;

// Before the program's own constructors, and after the stream's.
const std::ios_base::Init streams;
const struct Install {
  Install() { std::cin.rdbuf(&recorded_input); }
} install;

bool is_recorded(const std::istream& in) {
  return in.rdbuf() == &recorded_input;
}

bool is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// What the library's sentry does next, without constraints, finds nothing left to do.
void skip_spaces(std::istream& in) {
  if (!is_recorded(in) || !in.good() || (in.flags() & std::ios_base::skipws) == 0) return;
  int c = in.rdbuf()->sgetc();
  while (c != EOF && is_space(c)) c = in.rdbuf()->snextc();
}

template <typename Number>
std::istream& read_number(std::istream& in, Number& number) {
  const bool is_plain = is_recorded(in) && (in.flags() & std::ios_base::basefield) == std::ios_base::dec;
  if (!is_plain) return in >> number;
  skip_spaces(in);
  const std::istream::sentry ready(in);
  if (!ready) return in;
  std::streambuf& buffer = *in.rdbuf();
  std::ios_base::iostate state = std::ios_base::goodbit;
  constexpr auto kMost = static_cast<unsigned long long>(std::numeric_limits<Number>::max());
  int c = buffer.sgetc();
  const bool is_negative = c == '-';
  if (c == '-' || c == '+') c = buffer.snextc();
  const unsigned long long limit = kMost + (is_negative && std::numeric_limits<Number>::is_signed ? 1 : 0);
  unsigned long long value = 0;
  bool has_digit = false;
  bool is_too_large = false;
  for (; c >= '0' && c <= '9'; c = buffer.snextc()) {
    const auto digit = static_cast<unsigned long long>(c & 15);
    has_digit = true;
    if (value > (limit - digit) / 10) is_too_large = true;
    value = value * 10 + digit;
  }
  if (c == EOF) state |= std::ios_base::eofbit;
  if (!has_digit) {
    number = 0;
    state |= std::ios_base::failbit;
  } else if (is_too_large) {
    const bool is_least = is_negative && std::numeric_limits<Number>::is_signed;
    number = is_least ? std::numeric_limits<Number>::min() : std::numeric_limits<Number>::max();
    state |= std::ios_base::failbit;
  } else {
    number = static_cast<Number>(is_negative ? 0 - value : value);
  }
  if (state != std::ios_base::goodbit) in.setstate(state);
  return in;
}

}  // namespace

// Referred to by modules that use std::cin, so that this file is linked.
extern "C" {
char heddle_concolic_libc_input_stream;
}

// It would replace the buffer.
bool own_sync(bool) asm("heddle_concolic_libc__ZNSt8ios_base15sync_with_stdioEb");
bool own_sync(bool) {
  return true;
}

std::istream& own_getline(std::istream& in, std::string& line, char end) asm(
    "heddle_concolic_libc__ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__"
    "cxx1112basic_"
    "stringIS4_S5_T1_EES4_");
std::istream& own_getline(std::istream& in, std::string& line, char end) {
  if (!is_recorded(in)) return std::getline(in, line, end);
  const std::istream::sentry ready(in, true);
  if (!ready) return in;
  std::ios_base::iostate state = std::ios_base::goodbit;
  line.clear();
  bool has_any = false;
  for (;;) {
    const int c = in.rdbuf()->sbumpc();
    if (c == EOF) {
      state |= std::ios_base::eofbit;
      break;
    }
    has_any = true;
    if (c == static_cast<unsigned char>(end)) break;
    line.push_back(static_cast<char>(c));
  }
  if (!has_any) state |= std::ios_base::failbit;
  if (state != std::ios_base::goodbit) in.setstate(state);
  return in;
}

void own_sentry(std::istream::sentry* place, std::istream& in,
                bool keeps_spaces) asm("heddle_concolic_libc__ZNSi6sentryC1ERSib");
void own_sentry(std::istream::sentry* place, std::istream& in, bool keeps_spaces) {
  if (!keeps_spaces) skip_spaces(in);
  new (place) std::istream::sentry(in, keeps_spaces);
}

std::istream& own_word(std::istream& in, std::string& word) asm(
    "heddle_concolic_libc__ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_"
    "stringIS4_S5_T1_EE");
std::istream& own_word(std::istream& in, std::string& word) {
  if (!is_recorded(in)) return in >> word;
  skip_spaces(in);
  const std::istream::sentry ready(in);
  if (!ready) return in;
  word.clear();
  const std::streamsize most = in.width() > 0 ? in.width() : std::numeric_limits<std::streamsize>::max();
  std::ios_base::iostate state = std::ios_base::goodbit;
  std::streamsize count = 0;
  for (int c = in.rdbuf()->sgetc(); count < most && (c == EOF || !is_space(c)); c = in.rdbuf()->snextc()) {
    if (c == EOF) {
      state |= std::ios_base::eofbit;
      break;
    }
    word.push_back(static_cast<char>(c));
    ++count;
  }
  in.width(0);
  if (count == 0) state |= std::ios_base::failbit;
  if (state != std::ios_base::goodbit) in.setstate(state);
  return in;
}

std::istream& own_character(std::istream& in, char& character) asm(
    "heddle_concolic_libc__ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_");
std::istream& own_character(std::istream& in, char& character) {
  if (!is_recorded(in)) return in >> character;
  skip_spaces(in);
  const std::istream::sentry ready(in);
  if (!ready) return in;
  const int c = in.rdbuf()->sbumpc();
  if (c == EOF)
    in.setstate(std::ios_base::eofbit | std::ios_base::failbit);
  else
    character = static_cast<char>(c);
  return in;
}

#define HEDDLE_CONCOLIC_NUMBER(name, type, symbol)                                        \
  std::istream& name(std::istream& in, type& number) asm("heddle_concolic_libc_" symbol); \
  std::istream& name(std::istream& in, type& number) {                                    \
    return read_number(in, number);                                                       \
  }
HEDDLE_CONCOLIC_NUMBER(own_int, int, "_ZNSirsERi")
HEDDLE_CONCOLIC_NUMBER(own_short, short, "_ZNSirsERs")
HEDDLE_CONCOLIC_NUMBER(own_unsigned_short, unsigned short, "_ZNSi10_M_extractItEERSiRT_")
HEDDLE_CONCOLIC_NUMBER(own_unsigned, unsigned, "_ZNSi10_M_extractIjEERSiRT_")
HEDDLE_CONCOLIC_NUMBER(own_long, long, "_ZNSi10_M_extractIlEERSiRT_")
HEDDLE_CONCOLIC_NUMBER(own_unsigned_long, unsigned long, "_ZNSi10_M_extractImEERSiRT_")
HEDDLE_CONCOLIC_NUMBER(own_long_long, long long, "_ZNSi10_M_extractIxEERSiRT_")
HEDDLE_CONCOLIC_NUMBER(own_unsigned_long_long, unsigned long long, "_ZNSi10_M_extractIyEERSiRT_")
