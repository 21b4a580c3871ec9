# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a bench_core, the bare hart."""
import pathlib
import subprocess
import sys

# docs/internals/observation.md
CAUSES = ("retired", "fetch", "jump", "mispredict", "load_use", "muldiv", "data", "trap", "wfi", "debug", "reset", "csr", "fence",
          "icache_miss", "dcache_miss")


def image_of(elf):
    """Makes the flat image of an ELF file, in the same folder."""
    image = pathlib.Path(elf).with_suffix(".bin")
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", "-R", ".note.gnu.build-id", elf, image], check=True)
    return image


def run(core, image, *param):
    """Returns the costs of a run and the program's output. The cycles of all stall causes must add up to all cycles,
    and the cycles with cause RETIRED must equal the retired instructions, counted separately."""
    done = subprocess.run([core, image, *param], capture_output=True, text=True, check=True)
    cycles, _, status, instructions, *causes = (float(word) if "." in word else int(word) for word in done.stdout.split())
    if status != 0:
        sys.exit(f"{core} {image}: status {status}\n{done.stderr}")
    if sum(causes[:len(CAUSES)]) != cycles or causes[0] != instructions or any(causes[len(CAUSES):]):
        sys.exit(f"{core} {image}: {cycles} cycles, {instructions} instructions, but the causes are {causes}")
    return {"cycles": cycles, "instructions": instructions, "causes": dict(zip(CAUSES, causes))}, done.stderr


def shown(rows):
    """The causes that are large enough for a column."""
    return [c for c in CAUSES if any(row["causes"][c] > row["cycles"] // 1000 for row in rows)]
