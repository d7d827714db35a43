// How the functions of this folder are named: OWN(strlen) is what strlen() of a program becomes
// (functions.inc).
//
// They do what glibc's do in the C locale, byte by byte: simple code leaves simple constraints.
#pragma once

#define OWN(name) heddle_concolic_libc_##name
