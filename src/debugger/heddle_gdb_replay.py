"""What `heddle replay --gdb` (src/execute/debugger_command.cpp) makes gdb do before and after the
program runs."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import heddle_gdb  # noqa: E402,F401, these lie beside this file
import heddle_gdb_view as view  # noqa: E402

EXIT_GROUP = 231  # the system call

# Signals that mean something to the program pass by; those that end it stop there, and so does heddle's own
# trap.
STOPPING_SIGNALS = 'SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGSYS SIGTRAP SIGINT'


class EndOfProgram:
    """Tells the tool once how the program came to its end: by a signal, or by an exit, which is a stop if it
    is caught. Breakpoints and steps of the user are none."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        os.set_inheritable(descriptor, False)  # the program must not have it
        gdb.events.stop.connect(self.stopped)
        gdb.events.exited.connect(self.exited)

    def stopped(self, event):
        if isinstance(event, gdb.SignalEvent):
            self.tell(f'signal {event.stop_signal}')
        elif int(gdb.parse_and_eval('$orig_rax')) == EXIT_GROUP:
            self.tell(f"exit {int(gdb.parse_and_eval('$rdi'))}")

    def exited(self, event):
        self.tell(f"exit {getattr(event, 'exit_code', 0)}")

    def tell(self, text):
        gdb.events.stop.disconnect(self.stopped)
        gdb.events.exited.disconnect(self.exited)
        os.write(self.descriptor, text.encode())
        os.close(self.descriptor)


def heddle_begin(descriptor):
    """Before the program runs; its end is told through `descriptor`."""
    gdb.execute('handle all nostop noprint pass', to_string=True)  # it prints a table
    gdb.execute(f'handle {STOPPING_SIGNALS} stop print', to_string=True)
    EndOfProgram(descriptor)


def heddle_show_failure():
    """After the stop: to the thread that the failure is told of, and there from the frames of the runtime and
    of libraries up to the program's."""
    if gdb.selected_thread() is None:
        return
    try:
        gdb.execute(f'heddle thread {view.read_threads().failed.number}')
    except (gdb.GdbError, gdb.error) as error:
        gdb.write(f'{error}\n')
        view.select_program_frame()
        gdb.execute('frame')
