// ctype.h in the C locale: comparisons instead of tables.
#include "interact/concolic/libc/own.h"

static int is_between(int c, int first, int last) {
  return c >= first && c <= last;
}

int OWN(isupper)(int c) {
  return is_between(c, 'A', 'Z');
}
int OWN(islower)(int c) {
  return is_between(c, 'a', 'z');
}
int OWN(isalpha)(int c) {
  return OWN(isupper)(c) || OWN(islower)(c);
}
int OWN(isdigit)(int c) {
  return is_between(c, '0', '9');
}
int OWN(isalnum)(int c) {
  return OWN(isalpha)(c) || OWN(isdigit)(c);
}
int OWN(isxdigit)(int c) {
  return OWN(isdigit)(c) || is_between(c, 'a', 'f') || is_between(c, 'A', 'F');
}
int OWN(isblank)(int c) {
  return c == ' ' || c == '\t';
}
int OWN(isspace)(int c) {
  return c == ' ' || is_between(c, '\t', '\r');
}
int OWN(isprint)(int c) {
  return is_between(c, ' ', '~');
}
int OWN(isgraph)(int c) {
  return is_between(c, '!', '~');
}
int OWN(ispunct)(int c) {
  return OWN(isgraph)(c) && !OWN(isalnum)(c);
}
int OWN(iscntrl)(int c) {
  return is_between(c, 0, 31) || c == 127;
}
int OWN(isascii)(int c) {
  return (c & ~127) == 0;
}
int OWN(toascii)(int c) {
  return c & 127;
}
int OWN(tolower)(int c) {
  return OWN(isupper)(c) ? c + ('a' - 'A') : c;
}
int OWN(toupper)(int c) {
  return OWN(islower)(c) ? c - ('a' - 'A') : c;
}
