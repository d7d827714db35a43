// Random C programs: small, without undefined behaviour, and they end.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::program {

// The text of a program whose names all begin with `prefix`: `unsigned <prefix>main(void)` runs it and
// returns a number made of all that it has computed. It needs stdlib.h, string.h and stddef.h.
std::string random_c_program(uint32_t seed, const std::string& prefix);

}  // namespace heddle::program
