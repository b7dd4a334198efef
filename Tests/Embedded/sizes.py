# SPDX-License-Identifier: Apache-2.0
"""The contents of a firmware, and their sizes."""
import collections
import re
import subprocess

# The modules by layer, in the order of scripts/layers.
MODULES = ['Quantities', 'Registers', 'Sensors', 'Chips', 'Redundancy', 'Fusion', 'Recognition']
# The functions of Swift's runtime that need an allocator, and those that only objects need.
ALLOCATORS = ['swift_allocObject', 'swift_allocEmptyBox', 'swift_slowAlloc', 'swift_allocBox', 'swift_initStackObject',
              'posix_memalign', 'malloc', 'free']


def symbols(elf):
    """Returns (address, bytes, type, name) of every symbol that has a size, each address once."""
    seen = {}
    for line in subprocess.run(['arm-none-eabi-nm', '-S', str(elf)], capture_output=True, text=True, check=True).stdout.splitlines():
        fields = line.split()
        if len(fields) == 4:
            seen.setdefault(fields[0], (int(fields[1], 16), fields[2], fields[3]))
    return list(seen.values())


def module(name):
    """The module that a symbol's mangled name names first; None for C's. What makes a driver, steps it and decodes its
    frames is the driver's, though the firmware has it: the compiler has put parts of the driver into it. So is the engine
    that all drivers share: of each there is one of its own."""
    if not name.startswith('$'):
        return None
    if name.startswith('$e5Sizes'):
        return 'Chips' if re.match(r'\$e5Sizes\d+(make|step|decode)', name) else 'firmware'
    if re.search('14RegisterDriver|12RegisterChip|11SampledChip|13ReadyFlagChip|10TabledChip|14SingleShotChip|9ChipQueue|14WatermarkQueue|12CountedQueue|9ChipCodes|8ChipPart|12FrameDecoder', name):
        return 'Chips'
    found = [(name.find(f'{len(word)}{word}'), word) for word in MODULES if f'{len(word)}{word}' in name]
    return min(found)[1] if found else 'Swift'


def flash(elf):
    """Returns the bytes of flash by module: 'C library' is newlib, libgcc and the start, 'firmware'
    the remaining code, 'all' the total."""
    sums = collections.Counter()
    for size, kind, name in symbols(elf):
        if kind in 'bB':
            continue
        where = module(name)
        if where is None:
            where = 'firmware' if name.startswith('size_') else 'C library'
        sums[where] += size
    text, data, _ = subprocess.run(['arm-none-eabi-size', str(elf)], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()[:3]
    sums['all'] = int(text) + int(data)
    return sums


def demangle(names):
    return subprocess.run(['swift', 'demangle', '--simplified'], input='\n'.join(names), capture_output=True, text=True,
                          check=True).stdout.splitlines()


def allocating(elf, archive):
    """Returns the functions of a firmware that allocate or that only objects use; empty if it needs no allocator."""
    names = {name for _, _, name in symbols(elf)}
    wrong = sorted(names & set(ALLOCATORS))
    # This is the metadata of a class.
    wrong += [name for name in sorted(names) if re.search(r'C[MN]$', name) and name.startswith('$e') and not name.startswith('$es')]
    if not wrong:
        return []
    # Of otolith's code, all functions that refer to an allocator or to the storage of an array are
    # found by the relocations, as calls go through registers.
    callers, function = [], None
    listing = subprocess.run(['arm-none-eabi-objdump', '-r', str(archive)], capture_output=True, text=True, check=True)
    for line in listing.stdout.splitlines():
        if line.startswith('RELOCATION RECORDS FOR ['):
            function = line[line.index('[') + 1:line.index(']')].removeprefix('.text.')
        elif (function and module(function) not in (None, 'Swift') and function not in callers
              and re.search(r'swift_(alloc|init|slowAlloc|retain|release|isUnique|deallocC)|ContiguousArray|ArrayBuffer|[$]eSa[0-9]', line)):
            callers.append(function)
    return demangle(callers or wrong)
