"""The threads of a program that runs under heddle as lldb's threads.

By default all threads are fibers on one kernel thread, so lldb sees only the one that runs. As lldb's plug-in
for the operating system this file makes each of them a thread, with its name, what it does in place of the
queue, and its stack. `heddle replay --lldb` loads it; by hand, before the program starts:

    settings set target.process.python-os-plugin-path .../lib/heddle/debugger/heddle_lldb.py
"""

import os
import struct
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import heddle_threads  # noqa: E402, it lies beside this file

# In the order of their DWARF numbers.
REGISTERS = ('rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip').split()
GENERIC = {'rip': 'pc', 'rsp': 'sp', 'rbp': 'fp'}


class Value:
    """An lldb.SBValue as heddle_threads wants it."""

    def __init__(self, value):
        self.value = value

    def __getitem__(self, key):
        if isinstance(key, str):
            return Value(self.value.GetChildMemberWithName(key))
        kind = self.value.GetType()
        if not kind.IsPointerType():
            return Value(self.value.GetChildAtIndex(key))
        element = kind.GetPointeeType()
        address = int(self) + key * element.GetByteSize()
        return Value(self.value.CreateValueFromAddress(f'[{key}]', address, element))

    def __int__(self):
        return self.value.GetValueAsUnsigned()

    def __str__(self):
        return self.value.GetValue() or ''


def find_runtime(target):
    """The runtime's state, or None if the program does not run under heddle."""
    found = target.FindFirstGlobalVariable('heddle::rt::rt')
    return Value(found) if found.IsValid() else None


def read_threads(target, runtime):
    names = target.FindFirstGlobalVariable('heddle::rt::(anonymous namespace)::names')
    program = target.GetExecutable().GetFilename() or ''
    return heddle_threads.Threads(runtime, Value(names) if names.IsValid() else None, program)


def part_of(kind, offset):
    """What lies this far into a variable of a type, as in '.locks[2]'. Types of libraries are not taken
    apart."""
    kind = kind.GetCanonicalType()
    if kind.IsArrayType():
        element = kind.GetArrayElementType()
        size = element.GetByteSize()
        return f'[{offset // size}]' + part_of(element, offset % size)
    is_class = kind.GetTypeClass() in (lldb.eTypeClassStruct, lldb.eTypeClassClass)
    if not is_class or (kind.GetName() or '').startswith('std::'):
        return ''
    bases = [kind.GetDirectBaseClassAtIndex(i) for i in range(kind.GetNumberOfDirectBaseClasses())]
    fields = [kind.GetFieldAtIndex(i) for i in range(kind.GetNumberOfFields())]
    for member in bases + fields:
        inner = offset - member.GetOffsetInBytes()
        if 0 <= inner < member.GetType().GetByteSize():
            name = '' if member in bases else f'.{member.GetName()}'
            return name + part_of(member.GetType(), inner)
    return ''


def name_of_object(target, address):
    """What the program calls what lies at an address, as far as symbols tell."""
    symbol = target.ResolveLoadAddress(address).GetSymbol()
    if not symbol.IsValid():
        return f'{address:#x}'
    offset = address - symbol.GetStartAddress().GetLoadAddress(target)
    variable = target.FindFirstGlobalVariable(symbol.GetName())
    if variable.IsValid():
        return f'`{symbol.GetName()}{part_of(variable.GetType(), offset)}`'
    return f'`{symbol.GetName()}`' if offset == 0 else f'`{symbol.GetName()}+{offset}`'


class OperatingSystemPlugIn:
    """What lldb asks of a plug-in; the class has to have this name."""

    def __init__(self, process):
        self.process = process
        self.stack_pointers = {}  # of fibers that do not run, by thread id

    def get_thread_info(self):
        target = self.process.GetTarget()
        runtime = find_runtime(target)
        self.stack_pointers = {}
        if runtime is None or int(runtime['os_threads']) != 0:
            return []  # the kernel's threads are the program's
        threads = read_threads(target, runtime)
        result = []
        for thread in threads.all:
            if thread.has_finished and not thread.is_current:
                continue
            info = {'tid': thread.number, 'name': thread.title(), 'state': 'stopped', 'stop_reason': 'none',
                    'queue': threads.state(thread, lambda address: name_of_object(target, address))}
            if thread.is_current:
                info['core'] = 0  # its registers are those of the process
            else:
                self.stack_pointers[thread.number] = thread.stack_pointer
            result.append(info)
        return result

    def get_register_info(self):
        registers = []
        for number, name in enumerate(REGISTERS):
            register = {'name': name, 'bitsize': 64, 'offset': 8 * number, 'set': 0, 'gcc': number,
                        'dwarf': number, 'encoding': 'uint', 'format': 'hex'}
            if name in GENERIC:
                register['generic'] = GENERIC[name]
            registers.append(register)
        return {'sets': ['General Purpose Registers'], 'registers': registers}

    def get_register_data(self, tid):
        if tid not in self.stack_pointers:
            return None
        stack_pointer = self.stack_pointers[tid]
        error = lldb.SBError()
        saved = self.process.ReadMemory(stack_pointer, heddle_threads.SAVED_SIZE, error)
        if error.Fail():
            return None
        values = dict.fromkeys(REGISTERS, 0)
        values['rsp'] = stack_pointer + heddle_threads.SAVED_SIZE
        for register, offset in heddle_threads.SAVED_REGISTERS.items():
            values[register], = struct.unpack_from('<Q', saved, offset)
        return struct.pack(f'<{len(REGISTERS)}Q', *values.values())
