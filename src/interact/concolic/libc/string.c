// string.h and strings.h.
#include <stdint.h>
#include <stdlib.h>

#include "interact/concolic/libc/own.h"

typedef unsigned char byte;

static byte lower(byte c) {
  return c >= 'A' && c <= 'Z' ? (byte)(c + ('a' - 'A')) : c;
}

size_t OWN(strlen)(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

size_t OWN(strnlen)(const char* text, size_t most) {
  size_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}

int OWN(strcmp)(const char* a, const char* b) {
  const byte* x = (const byte*)a;
  const byte* y = (const byte*)b;
  while (*x == *y && *x != '\0') {
    ++x;
    ++y;
  }
  return *x - *y;
}

int OWN(strncmp)(const char* a, const char* b, size_t most) {
  const byte* x = (const byte*)a;
  const byte* y = (const byte*)b;
  for (; most > 0; --most, ++x, ++y) {
    if (*x != *y) return *x - *y;
    if (*x == '\0') return 0;
  }
  return 0;
}

int OWN(strcoll)(const char* a, const char* b) {
  return OWN(strcmp)(a, b);
}

int OWN(strcasecmp)(const char* a, const char* b) {
  const byte* x = (const byte*)a;
  const byte* y = (const byte*)b;
  for (;; ++x, ++y) {
    const int difference = lower(*x) - lower(*y);
    if (difference != 0 || *x == '\0') return difference;
  }
}

int OWN(strncasecmp)(const char* a, const char* b, size_t most) {
  const byte* x = (const byte*)a;
  const byte* y = (const byte*)b;
  for (; most > 0; --most, ++x, ++y) {
    const int difference = lower(*x) - lower(*y);
    if (difference != 0 || *x == '\0') return difference;
  }
  return 0;
}

char* OWN(strchr)(const char* text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return (char*)text;
    if (*text == '\0') return NULL;
  }
}

char* OWN(strchrnul)(const char* text, int c) {
  while (*text != (char)c && *text != '\0') ++text;
  return (char*)text;
}

char* OWN(strrchr)(const char* text, int c) {
  const char* last = NULL;
  for (;; ++text) {
    if (*text == (char)c) last = text;
    if (*text == '\0') return (char*)last;
  }
}

char* OWN(index)(const char* text, int c) {
  return OWN(strchr)(text, c);
}

char* OWN(rindex)(const char* text, int c) {
  return OWN(strrchr)(text, c);
}

static int starts_with(const char* text, const char* start) {
  for (; *start != '\0'; ++text, ++start) {
    if (*text != *start) return 0;
  }
  return 1;
}

char* OWN(strstr)(const char* text, const char* wanted) {
  for (;; ++text) {
    if (starts_with(text, wanted)) return (char*)text;
    if (*text == '\0') return NULL;
  }
}

char* OWN(strcasestr)(const char* text, const char* wanted) {
  const size_t length = OWN(strlen)(wanted);
  for (;; ++text) {
    if (OWN(strncasecmp)(text, wanted, length) == 0) return (char*)text;
    if (*text == '\0') return NULL;
  }
}

static int is_one_of(char c, const char* set) {
  for (; *set != '\0'; ++set) {
    if (*set == c) return 1;
  }
  return 0;
}

size_t OWN(strspn)(const char* text, const char* set) {
  size_t length = 0;
  while (text[length] != '\0' && is_one_of(text[length], set)) ++length;
  return length;
}

size_t OWN(strcspn)(const char* text, const char* set) {
  size_t length = 0;
  while (text[length] != '\0' && !is_one_of(text[length], set)) ++length;
  return length;
}

char* OWN(strpbrk)(const char* text, const char* set) {
  text += OWN(strcspn)(text, set);
  return *text == '\0' ? NULL : (char*)text;
}

char* OWN(strtok_r)(char* text, const char* set, char** rest) {
  if (text == NULL) text = *rest;
  text += OWN(strspn)(text, set);
  if (*text == '\0') {
    *rest = text;
    return NULL;
  }
  char* const end = text + OWN(strcspn)(text, set);
  *rest = end;
  if (*end != '\0') {
    *end = '\0';
    *rest = end + 1;
  }
  return text;
}

char* OWN(strtok)(char* text, const char* set) {
  static char* rest;
  return OWN(strtok_r)(text, set, &rest);
}

char* OWN(strsep)(char** rest, const char* set) {
  char* const text = *rest;
  if (text == NULL) return NULL;
  char* const end = text + OWN(strcspn)(text, set);
  *rest = NULL;
  if (*end != '\0') {
    *end = '\0';
    *rest = end + 1;
  }
  return text;
}

void* OWN(memcpy)(void* to, const void* from, size_t size) {
  return __builtin_memcpy(to, from, size);
}

void* OWN(memmove)(void* to, const void* from, size_t size) {
  return __builtin_memmove(to, from, size);
}

void* OWN(mempcpy)(void* to, const void* from, size_t size) {
  return (char*)__builtin_memcpy(to, from, size) + size;
}

void* OWN(memset)(void* to, int value, size_t size) {
  return __builtin_memset(to, value, size);
}

void OWN(bzero)(void* to, size_t size) {
  __builtin_memset(to, 0, size);
}

void OWN(bcopy)(const void* from, void* to, size_t size) {
  __builtin_memmove(to, from, size);
}

int OWN(memcmp)(const void* a, const void* b, size_t size) {
  const byte* x = a;
  const byte* y = b;
  for (size_t i = 0; i < size; ++i) {
    if (x[i] != y[i]) return x[i] - y[i];
  }
  return 0;
}

int OWN(bcmp)(const void* a, const void* b, size_t size) {
  return OWN(memcmp)(a, b, size);
}

void* OWN(memchr)(const void* memory, int c, size_t size) {
  const byte* bytes = memory;
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] == (byte)c) return (void*)(bytes + i);
  }
  return NULL;
}

void* OWN(rawmemchr)(const void* memory, int c) {
  const byte* bytes = memory;
  while (*bytes != (byte)c) ++bytes;
  return (void*)bytes;
}

void* OWN(memrchr)(const void* memory, int c, size_t size) {
  const byte* bytes = memory;
  while (size-- > 0) {
    if (bytes[size] == (byte)c) return (void*)(bytes + size);
  }
  return NULL;
}

void* OWN(memmem)(const void* memory, size_t size, const void* wanted, size_t wanted_size) {
  const byte* bytes = memory;
  for (size_t at = 0; at + wanted_size <= size; ++at) {
    if (OWN(memcmp)(bytes + at, wanted, wanted_size) == 0) return (void*)(bytes + at);
  }
  return NULL;
}

// Copying goes through memcpy once the length is known: the bytes keep their expressions.
char* OWN(stpcpy)(char* to, const char* from) {
  const size_t length = OWN(strlen)(from);
  __builtin_memcpy(to, from, length + 1);
  return to + length;
}

char* OWN(strcpy)(char* to, const char* from) {
  OWN(stpcpy)(to, from);
  return to;
}

char* OWN(stpncpy)(char* to, const char* from, size_t size) {
  const size_t length = OWN(strnlen)(from, size);
  __builtin_memcpy(to, from, length);
  __builtin_memset(to + length, 0, size - length);
  return to + length;
}

char* OWN(strncpy)(char* to, const char* from, size_t size) {
  OWN(stpncpy)(to, from, size);
  return to;
}

char* OWN(strcat)(char* to, const char* from) {
  OWN(stpcpy)(to + OWN(strlen)(to), from);
  return to;
}

char* OWN(strncat)(char* to, const char* from, size_t most) {
  const size_t length = OWN(strnlen)(from, most);
  char* const end = to + OWN(strlen)(to);
  __builtin_memcpy(end, from, length);
  end[length] = '\0';
  return to;
}

char* OWN(strndup)(const char* text, size_t most) {
  const size_t length = OWN(strnlen)(text, most);
  char* const copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  __builtin_memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char* OWN(strdup)(const char* text) {
  return OWN(strndup)(text, SIZE_MAX - 1);
}
