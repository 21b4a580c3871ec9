# SPDX-License-Identifier: Apache-2.0
"""Reads a firmware image and checks its hooks instruction by instruction."""
import collections
import re
import struct
import subprocess

TOOLS = "riscv64-unknown-elf-"
TOP = 0xFFFFFFFF
Function = collections.namedtuple("Function", "name start size")
Instruction = collections.namedtuple("Instruction", "address mnemonic operands target")


class Image:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = file.read()
        self._read_sections()
        self._read_symbols()
        # .gnomon.map: pairs of slot address and function address
        raw = self.section_bytes(".gnomon.map")
        pairs = [struct.unpack_from("<2I", raw, at) for at in range(0, len(raw), 8)]
        self.number_of = {function: TOP - slot for slot, function in pairs}
        self.pairs = len(pairs)
        # by overlay and address; in an overlay's table, a line and a file's name padded to words follow each pair
        self.number_in = {}
        for name in self.sections:
            match = re.fullmatch(r"\.gnomon\.map\.overlay\.(\d+)", name)
            raw, at = self.section_bytes(name) if match else b"", 0
            while at < len(raw):
                slot, function = struct.unpack_from("<2I", raw, at)
                self.number_in[int(match[1]), function] = TOP - slot
                at += 12 + (raw.index(b"\0", at + 12) - at - 12 + 4) // 4 * 4
        self.total = self.values.get("__gnomon_func_total")

    def _read_sections(self):
        table, = struct.unpack_from("<I", self.data, 32)
        size, count, names = struct.unpack_from("<3H", self.data, 46)
        heads = [struct.unpack_from("<10I", self.data, table + size * i) for i in range(count)]
        name_at = heads[names][4]
        self.sections = {}
        for head in heads:
            name = self._string(name_at + head[0])
            self.sections[name] = head

    def _string(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def section_bytes(self, name):
        if name not in self.sections:
            return b""
        head = self.sections[name]
        return self.data[head[4]:head[4] + head[5]]

    def _read_symbols(self):
        raw = self.section_bytes(".symtab")
        strings = self.sections[".strtab"][4]
        self.values = {}
        self.functions = []
        for at in range(0, len(raw), 16):
            name, value, size, info, _, section = struct.unpack_from("<3I2BH", raw, at)
            name = self._string(strings + name)
            self.values[name] = value
            if info & 15 == 2 and section:
                self.functions.append(Function(name, value, size))

    def disassemble(self):
        """Returns the instructions by address, in order."""
        text = subprocess.run([TOOLS + "objdump", "-d", "--no-show-raw-insn", "-M", "no-aliases", self.path],
                              check=True, capture_output=True, text=True).stdout
        out = []
        for line in text.splitlines():
            match = re.match(r"\s*([0-9a-f]+):\t(\S+)(?:\t(\S+))?", line)
            if match:
                target = re.search(r"(?:^|[,\t])([0-9a-f]{6,8}) <", line)
                out.append(Instruction(int(match[1], 16), match[2].removeprefix("c."), match[3] or "",
                                       int(target[1], 16) if target else None))
        return out


def hook(instruction):
    """Returns ('ra' or 'sp', number) of a one-store hook, or None."""
    match = re.fullmatch(r"(ra|sp),-(\d+)\(zero\)", instruction.operands)
    return (match[1], int(match[2]) - 1) if instruction.mnemonic == "sb" and match else None


def leaves(instruction, inside):
    """Returns True if the instruction leaves the function, False if not, None for a computed jump, which may do
    either."""
    m, operands = instruction.mnemonic, instruction.operands
    if m == "mret":
        return True
    if m == "jr" or (m == "jalr" and operands.startswith("zero,")):
        return True if re.search(r"\bra\b", operands) else None
    if m == "j" or (m == "jal" and operands.startswith("zero,")):
        return not inside(instruction.target)
    return False


def check_function(image, code, function, number, errors, computed_jumps=False):
    """Checks the hooks of one function; `code` are the instructions of the whole image, by address."""
    parts = [part for part in image.functions if part == function or part.name == function.name + ".cold"]

    def inside(address):
        return any(part.start <= address < part.start + part.size for part in parts)

    def error(what):
        errors.append(f"{function.name}: {what}")

    first = code.get(function.start)
    if not first or hook(first) != ("ra", number):
        return error(f"does not begin with sb ra,-{number + 1}(zero) but with {first}")
    enters = exits = 0
    before = None
    for part in parts:
        for address in sorted(a for a in code if part.start <= a < part.start + part.size):
            instruction = code[address]
            found = hook(instruction)
            if found and found[1] != number:
                error(f"has a hook of number {found[1]} at {address:#x}")
            enters += bool(found and found[0] == "ra")
            exits += bool(found and found[0] == "sp")
            hooked = before is not None and hook(before) == ("sp", number)
            gone = leaves(instruction, inside)
            if gone is None:
                gone = hooked if computed_jumps else True
            if gone != hooked:
                error(f"{'exit without a hook' if gone else 'hook without an exit'} at {address:#x}: {instruction}")
            before = instruction
    if enters != 1:
        error(f"has {enters} entry hooks")
    return exits


def check(image, computed_jumps=()):
    """Checks all hooks of an image; returns a list of errors. `computed_jumps` are functions with jump tables."""
    errors = []
    if image.total is None:
        return ["no symbol __gnomon_func_total"]
    if image.pairs != image.total or sorted(image.number_of.values()) != list(range(image.total)):
        errors.append(f"numbers are not 0 to {image.total - 1}, each once: {sorted(image.number_of.values())}")
    code = {instruction.address: instruction for instruction in image.disassemble()}
    for function in image.functions:
        number = image.number_of.get(function.start)
        if number is not None:
            check_function(image, code, function, number, errors, function.name in computed_jumps)
            continue
        for address in range(function.start, function.start + function.size, 2):
            if address in code and hook(code[address]) and not function.name.endswith(".cold"):
                errors.append(f"{function.name}: has a hook but no number")
    for instruction in code.values():
        if re.match(r"(lr|sc|amo\w+)\.w", instruction.mnemonic):
            errors.append(f"atomic instruction, which the core does not have: {instruction}")
    return errors
