"""What gdb looks at in a program that runs under heddle: one of its threads, a kernel thread or a fiber.

A fiber that does not run is shown by an unwinder, which makes its saved registers those of the caller of
frame 0. No register of the process changes.
"""

import collections
import contextlib
import os
import sys

import gdb
import gdb.FrameDecorator
import gdb.unwinder

import heddle_threads

FrameId = collections.namedtuple('FrameId', ['sp', 'pc'])

# More frames than this are not searched for one of the program.
MAX_FRAMES = 64


def find_runtime():
    """The runtime's state as a gdb.Value; a gdb.GdbError says why there is none."""
    symbol = gdb.lookup_global_symbol('heddle::rt::rt')
    if symbol is not None:
        try:
            return symbol.value()
        except gdb.error as error:
            raise gdb.GdbError(f'heddle: the state of the runtime cannot be read: {error}')
    if any(os.path.basename(file.filename or '') in ('libtsan.so.2', 'libheddle_rt.so',
                                                     'libclang_rt.tsan-x86_64.so')
           for file in gdb.objfiles()):
        raise gdb.GdbError("heddle: the program's runtime has no debug information, so threads cannot be "
                           "told apart (it is stripped, or it is ThreadSanitizer's own)")
    raise gdb.GdbError('heddle: no program that runs under heddle is here')


def read_threads():
    runtime = find_runtime()
    try:
        names = gdb.lookup_static_symbol('heddle::rt::(anonymous namespace)::names')
        program = os.path.basename(gdb.current_progspace().filename or '')
        threads = heddle_threads.Threads(runtime, names.value() if names else None, program)
    except gdb.error as error:
        raise gdb.GdbError(f'heddle: the threads cannot be read: {error}')
    if not threads.all:
        raise gdb.GdbError('heddle: the program has not begun')
    return threads


class ParkedFiber(gdb.unwinder.Unwinder):
    """Makes the fiber at `stack_pointer` the caller of frame 0, if it is not None."""

    def __init__(self):
        super().__init__('heddle')
        self.stack_pointer = None

    def __call__(self, pending_frame):
        if self.stack_pointer is None or pending_frame.level() != 0:
            return None
        # Frame 0 shall look as if it were called by the fiber: its stack ends just below the fiber's.
        word = pending_frame.architecture().integer_type(64, False)
        stack_end = gdb.Value(self.stack_pointer).cast(word)
        info = pending_frame.create_unwind_info(FrameId(stack_end, pending_frame.read_register('rip')))
        for register, offset in heddle_threads.SAVED_REGISTERS.items():
            info.add_saved_register(register, gdb.Value(read_word(self.stack_pointer + offset)).cast(word))
        info.add_saved_register('rsp', stack_end + heddle_threads.SAVED_SIZE)
        return info


class ShortName(gdb.FrameDecorator.FrameDecorator):
    """A function without the types of its parameters, as gdb itself writes it."""

    def function(self):
        return self.inferior_frame().name() or super().function()


class BacktraceFilter:
    """Leaves the frame out that a parked fiber only seems to have, and heddle's own if that is wanted."""

    def __init__(self):
        self.name = 'heddle'
        self.priority = 100
        self.enabled = False
        self.hides_runtime = False
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for decorated in frames:
            frame = decorated.inferior_frame()
            if frame.level() == 0 and unwinder.stack_pointer is not None:
                continue
            if not (self.hides_runtime and is_in_runtime(frame)):
                yield ShortName(decorated)


def read_word(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, 8), sys.byteorder)


def show_fiber(stack_pointer):
    """gdb looks at this fiber from now on, or at the running code if it is None."""
    unwinder.stack_pointer = stack_pointer
    backtrace_filter.enabled = stack_pointer is not None
    gdb.invalidate_cached_frames()


def show_thread(threads, thread):
    """gdb looks at this thread; False if it has no stack any more."""
    if thread.has_finished and not thread.is_current:
        return False
    if threads.are_kernel_threads:
        for candidate in gdb.selected_inferior().threads():
            if candidate.ptid[1] == thread.kernel_thread:
                candidate.switch()
                return True
        return False
    show_fiber(None if thread.is_current else thread.stack_pointer)
    return True


def shown_thread(threads):
    """The thread that gdb looks at."""
    if threads.are_kernel_threads:
        selected = gdb.selected_thread()
        return next((thread for thread in threads.all
                     if selected and thread.kernel_thread == selected.ptid[1]), None)
    if unwinder.stack_pointer is None:
        return threads.current
    return next((thread for thread in threads.all
                 if not thread.has_finished and thread.stack_pointer == unwinder.stack_pointer), None)


@contextlib.contextmanager
def another_view():
    """Restores what gdb looked at: thread, fiber and frame."""
    kernel_thread = gdb.selected_thread()
    stack_pointer = unwinder.stack_pointer
    level = gdb.selected_frame().level()
    try:
        yield
    finally:
        if kernel_thread is not None and kernel_thread.is_valid():
            kernel_thread.switch()
        show_fiber(stack_pointer)
        for frame in frames():
            if frame.level() == level:
                frame.select()


def frames():
    frame = gdb.newest_frame()
    for _ in range(MAX_FRAMES):
        if frame is None:
            return
        yield frame
        frame = frame.older()


def is_in_runtime(frame):
    symbol = gdb.lookup_global_symbol('heddle::rt::rt')
    return symbol is not None and gdb.solib_name(frame.pc()) == gdb.solib_name(int(symbol.value().address))


def is_program(frame):
    """True if it is code of the program itself, not of a library or an inlined function of one."""
    library = gdb.solib_name(frame.pc()) or ''
    symtab = frame.find_sal().symtab
    file = symtab.fullname() if symtab else ''
    if library.startswith(('/lib', '/usr/lib')) or is_in_runtime(frame):
        return False
    return bool(file) and not file.startswith(('/usr/include/', '/usr/lib/'))


def program_frame():
    """The innermost frame of the program in what gdb looks at, or None."""
    first = 0 if unwinder.stack_pointer is None else 1
    return next((frame for frame in frames() if frame.level() >= first and is_program(frame)), None)


def select_program_frame():
    frame = program_frame()
    if frame is None and unwinder.stack_pointer is not None:
        frame = gdb.newest_frame().older()
    if frame is not None:
        frame.select()


def print_backtrace():
    """Of what gdb looks at, without heddle's frames."""
    enabled = backtrace_filter.enabled
    backtrace_filter.enabled = backtrace_filter.hides_runtime = True
    try:
        gdb.execute('backtrace')
    finally:
        backtrace_filter.enabled = enabled
        backtrace_filter.hides_runtime = False


def look_at_running_code(_event):
    unwinder.stack_pointer = None
    backtrace_filter.enabled = False


unwinder = ParkedFiber()
backtrace_filter = BacktraceFilter()
gdb.unwinder.register_unwinder(None, unwinder, replace=True)
gdb.events.cont.connect(look_at_running_code)
gdb.events.exited.connect(look_at_running_code)
