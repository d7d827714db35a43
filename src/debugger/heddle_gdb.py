"""gdb commands for the threads of a program that runs under heddle.

By default all threads are fibers on one kernel thread, so gdb sees only the one that runs. `heddle threads`
lists them all, and `heddle thread` shows one of them: its stack and its variables, as `thread` does for
kernel threads. It works for a process under `heddle replay --gdb`, for any other one that runs under the
runtime, and for core files: source this file.
"""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import heddle_gdb_names  # noqa: E402, these lie beside this file
import heddle_gdb_view as view  # noqa: E402
import heddle_threads  # noqa: E402


def place(frame):
    """'eat at dinner.cpp:12'"""
    if frame is None:
        return ''
    sal = frame.find_sal()
    return f'{frame.name()} at {os.path.basename(sal.symtab.filename)}:{sal.line}'


def summary(threads, thread):
    """What a thread does and where, as two texts. Changes what gdb looks at."""
    if not view.show_thread(threads, thread):
        return 'finished' if thread.has_finished else 'has no kernel thread', ''
    return threads.state(thread, heddle_gdb_names.name_of_object), place(view.program_frame())


def find_thread(threads, text):
    """By number or name; the one that gdb looks at if there is no text."""
    thread = threads.find(text) if text else view.shown_thread(threads)
    if thread is None:
        what = f'there is no thread {text}' if text else 'the selected thread is none of the program'
        raise gdb.GdbError(f'heddle: {what}; `heddle threads` lists them')
    return thread


class HeddleCommands(gdb.Command):
    """Threads of a program that runs under heddle."""

    def __init__(self):
        super().__init__('heddle', gdb.COMMAND_STACK, gdb.COMPLETE_NONE, prefix=True)


class Command(gdb.Command):
    """One of them; `act` does its work on the threads that there are."""

    def __init__(self, name):
        super().__init__(f'heddle {name}', gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, argument, _from_tty):
        if gdb.selected_thread() is None:
            raise gdb.GdbError('heddle: there is no process')
        try:
            self.act(view.read_threads(), argument)
        except gdb.error as error:
            raise gdb.GdbError(f'heddle: {error}')


class ThreadsCommand(Command):
    """List the threads of a program that runs under heddle.
Each one has its number, its name as in heddle's reports and the one that the program gave it, what it does,
and the innermost frame of the program. The one that gdb looks at is marked."""

    def act(self, threads, _argument):
        shown = view.shown_thread(threads)
        rows = [('', 'Id', 'Name', 'State', 'Frame')]
        with view.another_view():
            for thread in threads.all:
                mark = '*' if thread is shown else ''
                rows.append((mark, str(thread.number), thread.title(), *summary(threads, thread)))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        for row in rows:
            cells = [text.ljust(width) for text, width in zip(row, widths)]
            gdb.write(f"{cells[0]} {'  '.join(cells[1:])}  {row[4]}".rstrip() + '\n')


class ThreadCommand(Command):
    """Look at a thread of a program that runs under heddle: heddle thread [NUMBER|NAME]
Stack, frames and variables are those of this thread then, until the program continues. Only the thread that
runs can be stepped."""

    def act(self, threads, argument):
        thread = find_thread(threads, argument)
        if argument and not view.show_thread(threads, thread):
            raise gdb.GdbError(f'heddle: {thread.title()} has finished, there is no stack of it')
        if argument:
            view.select_program_frame()
        with view.another_view():
            state, _ = summary(threads, thread)
        gdb.write(f'{heddle_threads.headline(thread.title(), state)}\n')
        gdb.execute('frame')


class BacktraceCommand(Command):
    """Print the stack of a thread of a program that runs under heddle: heddle backtrace [NUMBER|NAME|all]
Without an argument it is that of the thread gdb looks at. Frames of heddle's runtime are left out."""

    def act(self, threads, argument):
        wanted = [find_thread(threads, argument)] if argument != 'all' else [
            thread for thread in threads.all if not thread.has_finished]
        with view.another_view():
            for thread in wanted:
                state, _ = summary(threads, thread)
                gdb.write(f'{thread.number}  {thread.title()}: {state}\n')
                if view.show_thread(threads, thread):
                    view.print_backtrace()


HeddleCommands()
ThreadsCommand('threads')
ThreadCommand('thread')
BacktraceCommand('backtrace')
