"""What `heddle replay --lldb` (src/execute/debugger_command.cpp) makes lldb do before and after the
program runs."""

import os
import signal
import threading

import lldb

import heddle_lldb
import heddle_threads

# Signals that mean something to the program pass by; those that end it stop there, and so does heddle's own
# trap.
STOPPING_SIGNALS = 'SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGSYS SIGTRAP SIGINT SIGSTOP'.split()


def execute(debugger, command):
    """Without printing what it prints."""
    debugger.GetCommandInterpreter().HandleCommand(command, lldb.SBCommandReturnObject())


def __lldb_init_module(debugger, _dictionary):
    plugin = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'heddle_lldb.py')
    execute(debugger, f"settings set target.process.python-os-plugin-path '{plugin}'")
    passing = [number.name for number in signal.Signals
               if number.name not in STOPPING_SIGNALS and 'SIGRT' not in number.name]
    execute(debugger, f"process handle --pass true --stop false --notify false {' '.join(passing)}")


def launch(debugger, command, timeout):
    """Runs the program until it stops or ends, or for `timeout` seconds; False if it had to be stopped."""
    process_id = []

    def stop():
        process_id.append(debugger.GetSelectedTarget().GetProcess().GetProcessID())
        os.kill(process_id[0], signal.SIGSTOP)  # lldb itself is busy with waiting for it

    timer = threading.Timer(timeout, stop)
    timer.daemon = True
    timer.start()
    was_async = debugger.GetAsync()
    debugger.SetAsync(False)
    debugger.HandleCommand(command)
    debugger.SetAsync(was_async)
    timer.cancel()
    return not process_id


def how_it_ended(process):
    """'exit 5' or 'signal SIGSEGV', for the tool."""
    if process.GetState() == lldb.eStateExited:
        return f'exit {process.GetExitStatus()}'
    for thread in process:
        if thread.GetStopReason() == lldb.eStopReasonBreakpoint:  # at _exit
            return f"exit {thread.GetFrameAtIndex(0).FindRegister('rdi').GetValueAsUnsigned() & 0xff}"
        if thread.GetStopReason() == lldb.eStopReasonSignal:
            number = thread.GetStopReasonDataAtIndex(0)
            return f'signal {process.GetUnixSignals().GetSignalAsCString(number)}'
    return ''


def is_program(frame):
    """True if it is code of the program itself, not of a library or an inlined function of one."""
    library = frame.GetModule().GetFileSpec()
    file = frame.GetLineEntry().GetFileSpec().fullpath or ''
    if (library.GetDirectory() or '').startswith(('/lib', '/usr/lib')):
        return False
    if library.GetFilename() in ('libtsan.so.2', 'libclang_rt.tsan-x86_64.so'):
        return False
    return bool(file) and not file.startswith(('/usr/include/', '/usr/lib/'))


def show_failure(process):
    """To the thread that the failure is told of, and there to the innermost frame of the program."""
    runtime = heddle_lldb.find_runtime(process.GetTarget())
    if runtime is not None:
        threads = heddle_lldb.read_threads(process.GetTarget(), runtime)
        failed = threads.failed
        process.SetSelectedThreadByID(failed.kernel_thread if threads.are_kernel_threads else failed.number)
    thread = process.GetSelectedThread()
    frame = next((frame for frame in thread if is_program(frame)), thread.GetFrameAtIndex(0))
    thread.SetSelectedFrame(frame.GetFrameID())
    print_selected(thread, frame)


def print_selected(thread, frame):
    result = lldb.SBCommandReturnObject()
    interpreter = thread.GetProcess().GetTarget().GetDebugger().GetCommandInterpreter()
    interpreter.HandleCommand(f'frame select {frame.GetFrameID()}', lldb.SBExecutionContext(frame), result)
    headline = heddle_threads.headline(thread.GetName(), thread.GetQueueName() or 'is selected')
    print(f'{headline}\n{result.GetOutput()}', end='')


def run(debugger, command, timeout, descriptor):
    """Launches the program by an lldb command. What it came to is told through `descriptor`."""
    ended = launch(debugger, command, timeout)
    process = debugger.GetSelectedTarget().GetProcess()
    os.write(descriptor, (how_it_ended(process) if ended else 'timeout').encode())
    os.close(descriptor)
    if process.GetState() == lldb.eStateStopped:
        show_failure(process)
