// What the host cannot do any more once its programs are loaded, even if one of them gets hold of its code:
// change files, start programs, reach other processes or the network.
#pragma once

namespace heddle::fast {

// False if the machine has no seccomp.
bool confine_host();

}  // namespace heddle::fast
