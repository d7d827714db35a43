"""What a program calls an object: a mutex, a condition variable."""

import re

import gdb

import heddle_gdb_view


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
    for frame in heddle_gdb_view.frames():
        if not heddle_gdb_view.is_program(frame):
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
    text = gdb.execute(f'info symbol {address}', to_string=True)  # there may be warnings before it
    found = re.search(r'^(.*?)(?: \+ (\d+))? in section ', text, re.MULTILINE)
    if found is None:
        name = name_in_frames(address)
        return f'`{name}`' if name else f'{address:#x}'
    name, offset = found.group(1), int(found.group(2) or 0)
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is not None and symbol.is_variable:
        return f'`{name}{part_of(symbol.type, offset)}`'
    return f'`{name}`' if offset == 0 else f'`{name}+{offset}`'
