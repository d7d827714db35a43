"""The program's threads as the runtime knows them (src/runtime/fiber.h, runtime.h), for any debugger.

A debugger passes the runtime's variables as values that know `value['field']`, `value[index]`, `int(value)`
and `str(value)`, through pointers too, as gdb.Value does.
"""

# Where heddle_switch (switch.S) leaves the registers of a fiber that does not run, as offsets from
# Fiber::stack_pointer. What lies below is of no use to a debugger: the control words of the floating-point
# units.
SAVED_REGISTERS = {'r15': 8, 'r14': 16, 'r13': 24, 'r12': 32, 'rbx': 40, 'rbp': 48, 'rip': 56}
SAVED_SIZE = 64

# WaitKind, with the object's name for {}.
WAITS = {
    'kLock': 'waits for mutex {}',
    'kReadLock': 'waits to read-lock {}',
    'kJoin': 'waits for a thread to end',
    'kCond': 'waits on condition {}',
    'kSemaphore': 'waits for semaphore {}',
    'kBarrier': 'waits at barrier {}',
    'kOnce': 'waits for the end of call_once on {}',
    'kFutex': 'waits for a change of {}',
    'kSleep': 'sleeps',
    'kSpin': 'spins until a value changes',
    'kInput': 'waits for input',
    'kSignal': 'waits for a signal',
    'kChild': 'waits for a child process to end',
}


def enumerator(value):
    """'kLock' for heddle::trace::WaitKind::kLock."""
    return str(value).rsplit('::', 1)[-1]


def headline(title, state):
    """What a debugger says when it shows a thread."""
    return f"[{title} {'is running' if state == 'running' else state}]"


class Thread:
    """One thread of the program."""

    def __init__(self, value, path, name):
        op = value['op']
        self.index = int(value['index'])
        self.number = self.index + 1  # as debuggers count
        self.path = path  # main/1, as in reports
        self.name = name  # given by pthread_setname_np, or ''
        self.address = int(value)
        self.stack_pointer = int(value['stack_pointer'])
        self.kernel_thread = int(value['kernel_thread'])
        self.is_current = False
        self.has_finished = enumerator(value['state']) == 'kFinished'
        self.has_begun = enumerator(op['kind']) != 'kThreadBegin'
        self.wait = 'kSpin' if int(value['parked']) else enumerator(op['wait'])
        self.object = int(op['object'])
        self.pc = int(op['pc'])
        self.has_deadline = int(op['deadline']) != 0
        self.is_blocked = int(value['blocked']) != 0 or int(value['parked']) != 0
        held = value['held']
        self.held = [(int(held[i]['object']), int(held[i]['shared']) != 0)
                     for i in range(int(value['held_count']))]

    def title(self):
        return f'{self.path} "{self.name}"' if self.name else self.path


class Threads:
    """All threads of the program, in the order of creation."""

    def __init__(self, runtime, names, process_name):
        self.are_kernel_threads = int(runtime['os_threads']) != 0
        self.all = []
        fibers = runtime['fibers']
        for i in range(int(runtime['fiber_count'])):
            self.all.append(self._read(fibers[i], names, process_name))
        self.current = self._at(int(runtime['current']))
        if self.current is not None:
            self.current.is_current = True
        self.failed = self._failed(runtime)

    def _read(self, value, names, process_name):
        index = int(value['index'])
        path = 'main' if index == 0 else f"{self.all[int(value['parent'])].path}/{int(value['ordinal'])}"
        name = ''
        if names is not None and int(names) != 0:
            text = bytes(int(names[index][i]) & 0xff for i in range(16))
            name = text.split(b'\0')[0].decode(errors='replace')
        # On the OS backend the runtime notes what the kernel called the process, which says nothing.
        if index == 0 and name == process_name[:15]:
            name = ''
        return Thread(value, path, name)

    def _at(self, address):
        return next((thread for thread in self.all if thread.address == address), None)

    def _failed(self, runtime):
        """The thread that the failure is told of, else the one that runs; one with a stack, if any."""
        told = self.current
        if int(runtime['arena']) != 0:
            outcome = runtime['arena']['outcome']
            index = int(outcome['thread'])
            if enumerator(outcome['kind']) != 'kOk' and index < len(self.all):
                told = self.all[index]
        if told is None or told.has_finished:
            told = next((thread for thread in self.all if not thread.has_finished), told)
        return told

    def find(self, text):
        """The thread with this number or path or name, or None."""
        for thread in self.all:
            if text in (str(thread.number), thread.path, thread.name):
                return thread
        return None

    def holders(self, thread):
        """Who has to act before `thread` can go on, if that is known."""
        if thread.wait == 'kJoin':
            target = self._at(thread.object)
            return [] if target is None or target.has_finished else [target]
        if thread.wait not in ('kLock', 'kReadLock', 'kOnce'):
            return []
        return [other for other in self.all
                if any(held == thread.object and not (thread.wait == 'kReadLock' and shared)
                       for held, shared in other.held)]

    def state(self, thread, name_object):
        """What a thread does, in words. `name_object` tells what the program calls an address."""
        if thread.has_finished:
            return 'finished'
        holders = self.holders(thread)
        # A thread that has been woken is looked at again only when the next thread is chosen.
        waits = thread.wait in WAITS and (thread.is_blocked or (holders and not thread.is_current))
        if not waits:
            if thread.is_current:
                return 'running'
            return 'can go on' if thread.has_begun else 'can go on, has not begun'
        if thread.wait == 'kJoin' and holders:
            return f'waits for {holders[0].path} to end'
        words = WAITS[thread.wait]
        if thread.wait == 'kLock' and any((thread.object, True) in holder.held for holder in holders):
            words = 'waits for lock {}'
        text = words.format(name_object(thread.object)) if '{}' in words else words
        if holders:
            who = ', '.join('itself' if holder is thread else holder.path for holder in holders)
            text += (' in progress in ' if thread.wait == 'kOnce' else ' held by ') + who
        if thread.has_deadline and thread.wait != 'kSleep':
            text += ', or until its timeout'
        return text
