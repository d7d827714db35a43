"""gdb commands for the threads of a program that runs under heddle.

By default all threads are fibers on one kernel thread, so gdb sees only the one that runs. `heddle threads`
lists them all, and `heddle thread` shows one of them: its stack and its variables, as `thread` does for
kernel threads. No register of the process changes; an unwinder makes the fiber's saved registers those of
the caller of frame 0. It works for a process under `heddle replay --gdb`, for any other one that runs under
the runtime, and for core files: source this file.
"""

import collections
import contextlib
import os
import re
import sys

import gdb
import gdb.FrameDecorator
import gdb.unwinder

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import heddle_threads  # noqa: E402, it lies beside this file

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
    if threads.are_kernel_threads:
        for candidate in gdb.selected_inferior().threads():
            if candidate.ptid[1] == thread.kernel_thread:
                candidate.switch()
                return not thread.has_finished
        return False
    if thread.has_finished:
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
    return next((thread for thread in threads.all if thread.stack_pointer == unwinder.stack_pointer), None)


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


def place(frame):
    """'eat at dinner.cpp:12'"""
    if frame is None:
        return ''
    sal = frame.find_sal()
    return f'{frame.name()} at {os.path.basename(sal.symtab.filename)}:{sal.line}'


def part_of(kind, offset):
    """What lies this far into a variable of a type, as in '.locks[2]'. Types of libraries are not taken
    apart."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        element = kind.target()
        return f'[{offset // element.sizeof}]' + part_of(element, offset % element.sizeof)
    if kind.code != gdb.TYPE_CODE_STRUCT or (kind.name or '').startswith('std::'):
        return ''
    for field in kind.fields():
        if not hasattr(field, 'bitpos') or field.type.sizeof == 0:
            continue
        inner = offset - field.bitpos // 8
        if 0 <= inner < field.type.sizeof:
            return ('' if field.is_base_class else f'.{field.name}') + part_of(field.type, inner)
    return ''


def name_in_frames(address):
    """The variable of the frames gdb looks at in which, or in whose target, an address lies; or None."""
    for frame in frames():
        if not is_program(frame):
            continue
        block = frame.block()
        while block is not None and not block.is_global and not block.is_static:
            for symbol in block:
                name = name_in_variable(symbol, frame, address)
                if name is not None:
                    return name
            block = block.superblock if block.function is None else None
    return None


def name_in_variable(symbol, frame, address):
    if not (symbol.is_variable or symbol.is_argument):
        return None
    try:
        value = symbol.value(frame)
        kind = value.type.strip_typedefs()
        arrow = kind.code == gdb.TYPE_CODE_PTR
        if arrow or kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.dereference() if arrow else value.referenced_value()
        if value.address is None:
            return None
        offset = address - int(value.address)
        if not 0 <= offset < value.type.sizeof:
            return None
        part = part_of(value.type, offset)
    except (gdb.error, RuntimeError):  # optimised out, or of an incomplete type
        return None
    if not arrow:
        return symbol.name + part
    return f'{symbol.name}->{part[1:]}' if part.startswith('.') else f'*{symbol.name}'


def name_of_object(address):
    """What the program calls what lies at an address, as far as debug information and the frames tell."""
    text = gdb.execute(f'info symbol {address}', to_string=True)
    found = re.match(r'(.*?)(?: \+ (\d+))? in section ', text)
    if found is None:
        name = name_in_frames(address)
        return f'`{name}`' if name else f'{address:#x}'
    name, offset = found.group(1), int(found.group(2) or 0)
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is not None and symbol.is_variable:
        return f'`{name}{part_of(symbol.type, offset)}`'
    return f'`{name}`' if offset == 0 else f'`{name}+{offset}`'


def summary(threads, thread):
    """What a thread does and where, as two texts. Changes what gdb looks at."""
    if not show_thread(threads, thread):
        return 'finished' if thread.has_finished else 'has no kernel thread', ''
    return threads.state(thread, name_of_object), place(program_frame())


def find_thread(threads, text):
    thread = threads.find(text)
    if thread is None:
        raise gdb.GdbError(f'heddle: there is no thread {text}; `heddle threads` lists them')
    return thread


def need_process():
    if gdb.selected_thread() is None:
        raise gdb.GdbError('heddle: there is no process')


class HeddleCommand(gdb.Command):
    """Threads of a program that runs under heddle."""

    def __init__(self):
        super().__init__('heddle', gdb.COMMAND_STACK, gdb.COMPLETE_NONE, prefix=True)


class ThreadsCommand(gdb.Command):
    """List the threads of a program that runs under heddle.
Each one has its number, its name as in heddle's reports and the one that the program gave it, what it does,
and the innermost frame of the program. The one that gdb looks at is marked."""

    def __init__(self):
        super().__init__('heddle threads', gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, _argument, _from_tty):
        need_process()
        threads = read_threads()
        shown = shown_thread(threads)
        rows = [('', 'Id', 'Name', 'State', 'Frame')]
        with another_view():
            for thread in threads.all:
                mark = '*' if thread is shown else ''
                rows.append((mark, str(thread.number), thread.title(), *summary(threads, thread)))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        for row in rows:
            cells = [text.ljust(width) for text, width in zip(row, widths)]
            gdb.write(f"{cells[0]} {'  '.join(cells[1:])}  {row[4]}".rstrip() + '\n')


class ThreadCommand(gdb.Command):
    """Look at a thread of a program that runs under heddle: heddle thread NUMBER|NAME
Stack, frames and variables are those of this thread then, until the program continues. Only the thread that
runs can be stepped."""

    def __init__(self):
        super().__init__('heddle thread', gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, argument, _from_tty):
        need_process()
        threads = read_threads()
        thread = find_thread(threads, argument) if argument else shown_thread(threads)
        if thread is None:
            raise gdb.GdbError('heddle: the selected thread is none of the program')
        if argument and not show_thread(threads, thread):
            raise gdb.GdbError(f'heddle: {thread.title()} has finished, there is no stack of it')
        if argument:
            select_program_frame()
        with another_view():
            state = summary(threads, thread)[0]
        gdb.write(f'{heddle_threads.headline(thread.title(), state)}\n')
        gdb.execute('frame')


class BacktraceCommand(gdb.Command):
    """Print the stack of a thread of a program that runs under heddle: heddle backtrace [NUMBER|NAME|all]
Without an argument it is that of the thread gdb looks at. Frames of heddle's runtime are left out."""

    def __init__(self):
        super().__init__('heddle backtrace', gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, argument, _from_tty):
        need_process()
        threads = read_threads()
        if argument == 'all':
            wanted = [thread for thread in threads.all if not thread.has_finished]
        else:
            wanted = [find_thread(threads, argument) if argument else shown_thread(threads)]
        with another_view():
            for thread in wanted:
                self.print_stack(threads, thread)

    def print_stack(self, threads, thread):
        state, _ = summary(threads, thread)
        gdb.write(f'{thread.number}  {thread.title()}: {state}\n')
        if not show_thread(threads, thread):
            return
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
HeddleCommand()
ThreadsCommand()
ThreadCommand()
BacktraceCommand()
