// Data on its way between two sockets of this process.
//
// TCP holds small amounts back until earlier ones are acknowledged (Nagle's algorithm), which takes tens of
// milliseconds of real time. The clock of the program is virtual: before it moves on because nobody can run,
// what has been sent must have had its chance to arrive.
#pragma once

namespace heddle::rt {

// Something was written to this socket.
void note_sent(int fd);
// Something is on its way to a socket of ours that has nothing to read yet.
bool data_is_in_flight();
// It has not arrived within reason; nobody waits for it again.
void give_up_data_in_flight();

}  // namespace heddle::rt
