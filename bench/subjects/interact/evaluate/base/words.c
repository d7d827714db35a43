#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// What a word is that begins so; `length` is how long it is, if it is a sign.
static enum word_kind kind_of_sign(const char* text, int* length) {
  const bool or_equal = text[0] != '\0' && text[1] == '=';
  *length = 1;
  switch (text[0]) {
    case '(':
      return WORD_OPEN;
    case ')':
      return WORD_CLOSE;
    case '|':
      return WORD_OR;
    case '&':
      return WORD_AND;
    case '=':
      return WORD_EQUAL;
    case '+':
      return WORD_PLUS;
    case '-':
      return WORD_MINUS;
    case '*':
      return WORD_TIMES;
    case '/':
      return WORD_DIVIDED;
    case '%':
      return WORD_MODULO;
    case '<':
      *length = or_equal ? 2 : 1;
      return or_equal ? WORD_AT_MOST : WORD_LESS;
    case '>':
      *length = or_equal ? 2 : 1;
      return or_equal ? WORD_AT_LEAST : WORD_GREATER;
    case '!':
      *length = 2;
      return or_equal ? WORD_UNEQUAL : WORD_VALUE;
    default:
      return WORD_VALUE;
  }
}

static enum word_kind kind_of_name(const char* text) {
  static const struct word names[] = {
      {"length", WORD_LENGTH},
      {"index", WORD_INDEX},
      {"substr", WORD_SUBSTR},
      {"quote", WORD_QUOTE},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (strcmp(text, names[i].text) == 0) return names[i].kind;
  }
  return WORD_VALUE;
}

// A minus with a digit behind it belongs to the number, unless it follows a value, as in 3-2 and (1)-2.
static bool begins_number(const char* at, const char* argument) {
  int length = 0;
  if (at[0] != '-' || !isdigit((unsigned char)at[1])) return false;
  if (at == argument || at[-1] == ' ') return true;
  return at[-1] != ')' && kind_of_sign(at - 1, &length) != WORD_VALUE;
}

// Copies the next word to `*to`, and moves both pointers behind it.
static struct word take_from(const char** from, const char* argument, char** to) {
  struct word word = {*to, WORD_VALUE};
  int length = 0;
  if (!begins_number(*from, argument)) word.kind = kind_of_sign(*from, &length);
  if (word.kind != WORD_VALUE) {
    for (int i = 0; i < length; ++i) *(*to)++ = *(*from)++;
    *(*to)++ = '\0';
    return word;
  }
  do {
    *(*to)++ = *(*from)++;
  } while (**from != '\0' && **from != ' ' && kind_of_sign(*from, &length) == WORD_VALUE);
  *(*to)++ = '\0';
  word.kind = kind_of_name(word.text);
  return word;
}

bool split_words(struct words* words, int count, char** arguments) {
  size_t size = 1;
  for (int i = 0; i < count; ++i) size += 2 * strlen(arguments[i]);
  words->text = malloc(size);
  words->count = 0;
  words->next = 0;
  if (words->text == NULL) return false;

  char* to = words->text;
  for (int i = 0; i < count; ++i) {
    const char* from = arguments[i];
    while (*from != '\0') {
      if (*from == ' ') {
        ++from;
        continue;
      }
      if (words->count == MOST_WORDS) return false;
      words->word[words->count++] = take_from(&from, arguments[i], &to);
    }
  }
  return true;
}

struct word peek_word(const struct words* words) {
  static const struct word end = {NULL, WORD_END};
  return words->next < words->count ? words->word[words->next] : end;
}

bool take_word(struct words* words, enum word_kind kind) {
  if (peek_word(words).kind != kind) return false;
  ++words->next;
  return true;
}

void release_words(struct words* words) {
  free(words->text);
  words->text = NULL;
  words->count = 0;
}
