// The grammar, evaluated as it is read. Loosest first; all operators group to the left:
//
//     either      = both { "|" both }              the first that is true, or 0
//     both        = comparison { "&" comparison }  the first if both are true, or 0
//     comparison  = sum { ( "<" | "<=" | "=" | "!=" | ">=" | ">" ) sum }
//     sum         = product { ( "+" | "-" ) product }
//     product     = part { ( "*" | "/" | "%" ) part }
//     part        = "(" either ")" | "length" part | "index" part part | "substr" part part part
//                 | "quote" WORD | WORD
#pragma once

#include "value.h"
#include "words.h"

enum { PARSE_OK, PARSE_SYNTAX, PARSE_ARITHMETIC };

struct parser {
  struct words* words;
  int status;           // the first thing that went wrong; nothing is evaluated from then on
  const char* problem;  // what that was
  const char* where;    // the word there, or NULL at the end
  int depth;            // of parentheses and functions
  // For texts that were made of integers. They live as long as the parser.
  char written[MOST_WORDS][LONGEST_INTEGER];
  int written_count;
};

// The value of all words. If something went wrong, parser->status says so.
struct value parse_expression(struct parser* parser, struct words* words);
