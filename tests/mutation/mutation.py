#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of rtl/core and rtl/cache: measures how many single changes of the Verilog text the tests detect
(docs/verification/mutation.md).

All selected changes are in one text, each with a switch, so every model is built once; the environment variable MUTANT
selects one. The tests judge a change in each form of the core or cache in which it is not optimised away, until one
fails. Survivors that prove.py proves equivalent are removed.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import time

import points
import prove

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cosim"))
import cosim  # noqa: E402  pylint: disable=wrong-import-position,import-error

PROGRAMS = ["bypass", "traps", "csr", "irq", "debug", "smc", "cross", "debug_cross"]
PRIVILEGED = ["user", "pmp", "trigger", "debug_user", "debug_cross_user", "bypass", "debug", "irq", "smc", "traps"]
BLOCKS = 300  # of a program for co-simulation; a survivor runs ten such programs
CLOCK = 300  # seconds; a longer run is a fault of the model, not a hang (hangs end by cycles)

# Parameters for set-ups with A and bit manipulation (mk/test/cosim.mk).
OPTIONS = ["ATOMIC=1", "BITS=1"]
USER = ["USER=1", "PMP=4", "TRIGGERS=2"]

# form: top module, its parameters, and the tests in order. A test is (model, what to run).
# model: (kind, Verilator options). Later forms judge only changes that earlier forms do not have.
MODELS = {
    "tb-predict": ("tb", ["-DPREDICT=9"]),
    "tb-static": ("tb", [f"-D{option}" for option in OPTIONS]),
    "tb-late": ("tb", ["-DLATE=1"] + [f"-D{option}" for option in OPTIONS]),
    "tb-compact": ("tb", ["-DMUL_FAST=0", "-DCOMPACT=1"]),
    "tb-slow": ("tb", ["-DMUL_FAST=0"]),
    "tb-user": ("tb", [f"-D{option}" for option in USER]),
    "tb-compact-user": ("tb", ["-DMUL_FAST=0", "-DCOMPACT=1", "-DUSER=1", "-DPMP=16", "-DPMP_GRAIN=4", "-DTRIGGERS=4"]),
    "fast": ("cosim", [f"-G{option}" for option in OPTIONS]),
    "predict": ("cosim", ["-GPREDICT=9", "-GLATE=1"] + [f"-G{option}" for option in OPTIONS]),
    "alias": ("cosim", ["-GPREDICT=3", "-GPREDICT_TAG=1", "-GLATE=1"]),
    "compact": ("cosim", ["-GMUL_FAST=0", "-GCOMPACT=1"]),
    "slow": ("cosim", ["-GMUL_FAST=0"]),
    "user": ("cosim", ["-GPREDICT=9", "-GLATE=1"] + [f"-G{option}" for option in OPTIONS + USER]),
    "compact-user": ("cosim", ["-GMUL_FAST=0", "-GCOMPACT=1", "-GUSER=1", "-GPMP=16", "-GTRIGGERS=4"]),
    "learns-8": ("block", ["CYCLES=40000"]),
    "learns-512": ("block", ["ENTRIES_LOG2=9", "TAG_BITS=8", "NEAR=25", "HISTORY=10", "COUNTERS_LOG2=13", "STACK_LOG2=3", "CYCLES=40000", "SEED=2"]),
    "cache-512": ("block", ["BYTES=512", "LINE_WORDS=4", "CYCLES=100000"]),
    "cache-2048": ("block", ["BYTES=2048", "LINE_WORDS=8", "CYCLES=100000"]),
    "cache-none": ("block", ["BYTES=0", "CYCLES=50000"]),
    "compact-512": ("block", ["BYTES=512", "LINE_WORDS=4", "CYCLES=100000", "COMPACT=1"]),
    "compact-2048": ("block", ["BYTES=2048", "LINE_WORDS=8", "CYCLES=100000", "COMPACT=1"]),
    "dcache-512": ("block", ["BYTES=512", "LINE_WORDS=4", "CYCLES=60000"]),
    "dcache-2048": ("block", ["BYTES=2048", "LINE_WORDS=8", "CYCLES=60000", "SEED=2"]),
    "dcache-buffer": ("block", ["BYTES=512", "LINE_WORDS=4", "BUFFER_LOG2=1", "CYCLES=60000", "SEED=3"]),
}


def bench(model):
    """The test bench of a block, and its folder."""
    return {"learns": ("tb_predict", "core"), "dcache": ("tb_dcache", "cache")}.get(model.split("-")[0], ("tb_icache", "cache"))


def directed(model, programs):
    return [(model, program) for program in programs] + [(model, program + "+stall") for program in programs] \
        + [(model, program + "+again=333") for program in ("csr", "irq", "debug")]


FORMS = {
    "full": ("gnomon_core", {"PREDICT": 9, "LATE": 1, "ATOMIC": 1, "BITS": 1},
             directed("tb-predict", PROGRAMS) + [("tb-predict", "predict"), ("learns-8", ""), ("learns-512", ""), ("tb-predict", "insns"),
                                                 ("tb-static", "timing"), ("tb-static", "causes"), ("tb-static", "timing_options"),
                                                 ("tb-late", "late"), ("tb-late", "causes"), ("tb-late", "atomic"), ("tb-late", "options")]
             + [(cosim.SETUPS[s][0][0], s) for s in ("predict-storm", "alias-storm", "predict", "alias", "debug", "plain", "window",
                                                     "heavy", "interrupts", "storm")]),
    "compact": ("gnomon_core", {"MUL_FAST": 0, "COMPACT": 1},
                directed("tb-compact", PROGRAMS) + [("tb-compact", "insns"), ("tb-compact", "causes")]
                + [("compact", s) for s in ("compact-storm", "compact", "compact-interrupts")]),
    "slow": ("gnomon_core", {"MUL_FAST": 0},
             directed("tb-slow", PROGRAMS) + [("tb-slow", "insns"), ("slow", "slow"), ("slow", "slow-interrupts")]),
    "user": ("gnomon_core", {"PREDICT": 9, "LATE": 1, "ATOMIC": 1, "BITS": 1, "USER": 1, "PMP": 4, "TRIGGERS": 2},
             [("tb-user", program) for program in PRIVILEGED + ["timing_user"]] + [("tb-compact-user", program) for program in PRIVILEGED]
             + [("user", "user"), ("user", "user-storm"), ("compact-user", "compact-user")]),
    "cache": ("gnomon_icache", {"BYTES": 512}, [("cache-512", ""), ("cache-2048", ""), ("cache-none", "")]),
    "cache-compact": ("gnomon_icache", {"BYTES": 512, "COMPACT": 1}, [("compact-512", ""), ("compact-2048", "")]),
    "dcache": ("gnomon_dcache", {"BYTES": 512, "LINE_WORDS": 4, "SIZE_LOG2": 14},
               [("dcache-512", ""), ("dcache-2048", ""), ("dcache-buffer", "")]),
}
FORMS_OF = {"core": ["full", "compact", "slow", "user"], "cache": ["cache", "cache-compact", "dcache"]}
LAST = ("slow", "user")  # these forms judge only changes that no other form has

# A file in the folders that is not part of core or cache: only proofs use it.
BESIDE = ("gnomon_core_rvfi.v",)


class Failure(Exception):
    """A tool failed; the run says nothing about the tests."""


def tool(command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}")
    return done.stdout


def write(path, text):
    """Writes a file only if it has changed, so that models are rebuilt only after changes of their sources."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Mutation:
    def __init__(self, options):
        self.options = options
        self.build = options.build
        self.rtl = self.build / "rtl"
        self.sources = {path.relative_to(ROOT).as_posix(): path.read_text()
                        for room in ("core", "cache") for path in sorted((ROOT / "rtl" / room).glob("*.v")) if path.name not in BESIDE}
        every = [p for file, text in self.sources.items() for p in points.points_of(file, text)]
        if options.only:
            every = [p for p in every if options.only in p.file]
        self.total = len(every)
        chosen = random.Random(options.seed).sample(every, min(options.mutations, len(every)))
        chosen.sort(key=lambda p: (p.file, p.first, p.last, p.new))
        self.chosen = dict(enumerate(chosen, 1))

    # ---- Building ----
    def switched(self, file, switch):
        mine = {n: p for n, p in self.chosen.items() if p.file == file}
        return points.switched(self.sources[file], mine, switch), mine

    def write_sources(self):
        self.rtl.mkdir(parents=True, exist_ok=True)
        write(self.build / "mutants.sv",
            "package mutants;\n    import \"DPI-C\" function int mutant_in_effect();\n"
            "    int chosen = mutant_in_effect();\nendpackage\n")
        write(self.build / "mutants.cpp",
            "#include <cstdlib>\nextern \"C\" int mutant_in_effect() {\n    const char *text = getenv(\"MUTANT\");\n"
            "    return text ? atoi(text) : 0;\n}\n")
        # The benches of single blocks run in Icarus, which has no DPI.
        write(self.build / "mutants_icarus.sv",
            "package mutants;\n    int chosen = 0;\nendpackage\nmodule choose;\n"
            "    initial if (!$value$plusargs(\"mutant=%d\", mutants::chosen)) $finish;\nendmodule\n")
        for file in self.sources:
            text, _ = self.switched(file, lambda n: f"mutants::chosen == {n}")
            write(self.rtl / pathlib.Path(file).name, text)
        for header in (ROOT / "rtl/core").glob("*.vh"):
            write(self.rtl / header.name, header.read_text())

    def build_model(self, name):
        kind, flags = MODELS[name]
        folder = self.build / name
        needs = [self.rtl, *self.rtl.glob("*"), *self.build.glob("mutants*"), *(ROOT / "tests/rtl").glob("c*/*.v"),
                 *(ROOT / "tests/cosim").glob("*.?pp"), pathlib.Path(__file__)]
        if (folder / "model").exists() and (folder / "model").stat().st_mtime > max(path.stat().st_mtime for path in needs):
            return
        if kind == "block":
            folder.mkdir(parents=True, exist_ok=True)
            top, room = bench(name)
            tool(["iverilog", "-g2012", "-s", top, "-s", "choose", "-o", folder / "model"] + [f"-P{top}.{flag}" for flag in flags]
                 + [self.build / "mutants_icarus.sv", "-y", self.rtl, ROOT / f"tests/rtl/{room}/{top}.v"])
            return
        tops = {"tb": "tb", "cosim": "gnomon_core"}
        command = ["verilator", "--build", "--top-module", tops[kind], "-Wno-lint", "-Wno-style", "-Wno-fatal", "--Mdir", folder, "-o", "model",
                   "-O3", self.build / "mutants.sv", (self.build / "mutants.cpp").resolve(), "-y", self.rtl] + flags
        if kind == "cosim":
            includes = f"-std=c++17 -O2 -I{ROOT / 'tests/cosim'}"
            objects = [(self.options.cosim / f"{o}.o").resolve() for o in ("bus", "checker", "checker_reference", "decode", "loader")]
            command += ["--cc", "--exe", "--x-assign", "unique", "--x-initial", "unique", "-CFLAGS", includes, self.rtl / "gnomon_core.v",
                        ROOT / "tests/cosim/main.cpp", ROOT / "tests/cosim/debugger.cpp"] + objects
        else:
            command += ["--binary", "--timing", "-CFLAGS", "-O1", "-y", ROOT / "tests/rtl/core", ROOT / "tests/rtl/core/tb.v"]
        tool(command)

    def live_in(self, form):
        """Returns the changes that yosys does not optimise away in this form's netlist."""
        top, parameters, _ = FORMS[form]
        folder = self.build / f"live-{form}"
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for file in self.sources:
            text, mine = self.switched(file, lambda n: f"mutant_{n}")
            head = text.index(");\n", text.index("\n) (\n") if "\n) (\n" in text else text.index("(\n")) + 3
            wires = "".join(f"    wire mutant_{n} = $anyconst;\n" for n in mine)
            path = folder / pathlib.Path(file).name
            path.write_text(text[:head] + wires + text[head:])
            files.append(str(path))
        for header in (ROOT / "rtl/core").glob("*.vh"):
            write(folder / header.name, header.read_text())
        listed = folder / "live.txt"
        parameter_text = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
        tool(["yosys", "-q", "-p", f"read_verilog -DSYNTHESIS {' '.join(files)}; hierarchy -top {top} {parameter_text}; proc; flatten; "
              f"opt -full; opt_clean -purge; select -write {listed} t:$anyconst %co1:+[Y] w:*mutant_* %i"])
        return {int(line.rsplit("_", 1)[1]) for line in listed.read_text().split()}

    def make_programs(self):
        maker = cosim.Cosim(self.options.cosim)
        for index, setup in enumerate(cosim.SETUPS):
            prefix = self.build / f"program-{setup}"
            if not pathlib.Path(f"{prefix}.ref").exists():
                maker.make_program(prefix, setup, 7_000_000 + index, blocks=BLOCKS)

    # ---- Judging ----
    def test_passes(self, number, model, what):
        """Returns None, or the failure."""
        kind = MODELS[model][0]
        command = [str(self.build / model / "model")]
        if kind == "block":
            command = ["vvp", "-n"] + command + [f"+mutant={number}"]
        if kind == "tb":
            program, _, more = what.partition("+")
            command += [f"+hex={self.options.core / program}.hex"] + (["+" + more] if more else [])
            script = self.options.core / f"{program}.debug"
            if script.exists():
                command += [f"+debug={script}", "+halt"]
            if program == "causes":
                folder = self.build / "causes" / f"{model}-{number}"
                folder.mkdir(parents=True, exist_ok=True)
                command = [sys.executable, str(ROOT / "tests/rtl/core/causes.py"), "check",
                           "--form", {"tb-compact": "compact", "tb-late": "late"}.get(model, "static"),
                           "--bench", command[0], "--program", f"{self.options.core / program}.hex", "--out", str(folder)]
        elif kind == "cosim":
            index = list(cosim.SETUPS).index(what)
            command += [str(self.build / f"program-{what}"), "--seed", str(7_000_000 + index)] + cosim.SETUPS[what][2]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=CLOCK,
                                  errors="replace", env={**os.environ, "MUTANT": str(number)})
        except subprocess.TimeoutExpired:
            return f"not over in {CLOCK} s"
        if kind == "tb":
            passed = done.returncode == 0 and "pass" in done.stdout and "FAIL" not in done.stdout
        elif kind == "block":
            passed = done.returncode == 0 and ": good" in done.stdout
        else:
            passed = done.returncode == 0
        lines = [line for line in done.stdout.splitlines() if "$finish" not in line and line.strip()]
        return None if passed else (lines[0][:120] if lines else f"status {done.returncode}")

    def judge(self, number, form):
        for model, what in FORMS[form][2]:
            if self.options.tests == "directed" and MODELS[model][0] == "cosim":
                continue
            if self.options.tests == "weak" and (model, what) != FORMS[form][2][0]:
                continue
            failure = self.test_passes(number, model, what)
            if failure is not None:
                return f"{model} {what}".strip(), failure
        if number:
            print(f"not noticed: {form} #{number}", flush=True)
        return None, ""

    def used_models(self, forms):
        return [m for m in MODELS if any(m == model for f in forms for model, _ in FORMS[f][2])
                and (self.options.tests == "all" or MODELS[m][0] != "cosim")]

    # ---- Results of an earlier, interrupted run ----
    def open_journal(self):
        """Opens the journal, which is valid only for the same points, sources and tests."""
        state = hashlib.sha256(repr([self.options.tests, [(n, p.file, p.first, p.last, p.new) for n, p in self.chosen.items()]]).encode())
        rooms = ("rtl/core", "rtl/cache", "tests/rtl/core", "tests/rtl/cache", "tests/cosim", "tests/mutation")
        for path in sorted(path for room in rooms for path in (ROOT / room).rglob("*.*") if path.is_file()):
            state.update(path.read_bytes())
        path = self.build / "journal.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        if not lines or lines[0] != state.hexdigest():
            lines = [state.hexdigest()]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.journal = {(what, number, form): answer for what, number, form, answer in lines[1:]}
        self.journal_file = open(path, "a", encoding="ascii")  # pylint: disable=consider-using-with

    def once(self, what, pair, work):
        if (what, *pair) not in self.journal:
            answer = work()
            self.journal_file.write(json.dumps([what, *pair, answer]) + "\n")
            self.journal_file.flush()
            self.journal[(what, *pair)] = answer
        return self.journal[(what, *pair)]

    def run(self):
        options = self.options
        self.build.mkdir(parents=True, exist_ok=True)
        self.open_journal()
        print(f"seed {options.seed} (SEED=), {len(self.chosen)} of {self.total} points (MUTATIONS=), tests: {options.tests}", flush=True)
        self.write_sources()
        forms = [f for room in ("core", "cache") for f in FORMS_OF[room] if f in options.forms]
        begun = time.time()
        if options.tests == "all":
            self.make_programs()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            live = dict(zip(forms, pool.map(self.live_in, forms)))
            list(pool.map(self.build_model, self.used_models(forms)))
            for form in LAST:
                others = [live[f] for f in live if f not in LAST[LAST.index(form):]]
                if form in live:
                    live[form] = live[form].difference(*others)
            print(f"built in {time.time() - begun:.0f} s; in effect: " + ", ".join(f"{f} {len(live[f])}" for f in forms), flush=True)
            for form, failure in zip(forms, pool.map(lambda form: self.judge(0, form), forms)):
                if failure[0]:
                    raise Failure(f"form {form} fails without a change: {failure}")
            pairs = [(n, form) for form in forms for n in sorted(live[form])]
            verdicts = dict(zip(pairs, pool.map(lambda pair: self.once("verdict", pair, lambda: self.judge(*pair)), pairs)))
            survivors = [pair for pair in pairs if verdicts[pair][0] is None]
            proofs = {}
            if not options.no_proof:
                prover = prove.Prover(self.sources, self.build / "proof", FORMS)
                shown = pool.map(lambda pair: self.once("proof", pair, lambda: prover.equivalent(self.chosen[pair[0]], pair[1])), survivors)
                proofs = dict(zip(survivors, shown))
        return self.report(forms, pairs, verdicts, proofs, time.time() - begun)

    # ---- Report ----
    def report(self, forms, pairs, verdicts, proofs, seconds):
        rows, counts = [], {}
        for pair in pairs:
            number, form = pair
            point = self.chosen[number]
            by, how = verdicts[pair]
            result = "caught" if by else "equivalent" if proofs.get(pair) else "survived"
            rows.append({"mutant": number, "form": form, "file": point.file, "line": point.line, "kind": point.kind, "old": point.old,
                         "new": point.new, "result": result, "by": by, "how": how})
            for key in ((form, "all"), (form, point.file), ("all", "all")):
                counts.setdefault(key, {"caught": 0, "equivalent": 0, "survived": 0})[result] += 1

        def line(name, c):
            judged = c["caught"] + c["survived"]
            share = f"{100 * c['caught'] / judged:5.1f} %" if judged else "    - "
            print(f"{name:44} {sum(c.values()):6} {c['equivalent']:11} {c['caught']:7} {c['survived']:9}  {share}")
        print(f"{'':44} {'points':>6} {'equivalent':>11} {'caught':>7} {'survived':>9}   score")
        for form in forms:
            for file in sorted({f for o, f in counts if o == form and f != "all"}):
                line(f"{form} {file}", counts[form, file])
            if (form, "all") in counts:
                line(f"{form}", counts[form, "all"])
        line("all", counts.get(("all", "all"), {"caught": 0, "equivalent": 0, "survived": 0}))
        for wanted, title in (("equivalent", "Shown equivalent: no output and no register ever differs"), ("survived", "Survived")):
            print(f"\n{title}:")
            for row in rows:
                if row["result"] == wanted:
                    print(f"  {row['form']:13} {row['file']}:{row['line']}  #{row['mutant']} {self.chosen[row['mutant']].what()}")
        total = counts[("all", "all")]
        score = 100 * total["caught"] / max(1, total["caught"] + total["survived"])
        by = {}
        for row in rows:
            if row["by"]:
                by[row["by"]] = by.get(row["by"], 0) + 1
        print("\nFirst noticed by: " + ", ".join(f"{name} {count}" for name, count in sorted(by.items(), key=lambda i: -i[1])))
        print(f"score {score:.1f} %, {total['caught']} of {total['caught'] + total['survived']} noticed, {total['equivalent']} equivalent, "
              f"{seconds:.0f} s")
        json.dump({"seed": self.options.seed, "points": self.total, "chosen": len(self.chosen), "tests": self.options.tests,
                   "score": round(score, 2), "counts": {f"{a} {b}": c for (a, b), c in counts.items()}, "mutants": rows},
                  open(self.options.json, "w", encoding="utf-8"), indent=1)
        if score < self.options.least:
            print(f"FAIL: less than {self.options.least} %")
            return 1
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/mutation"))
    parser.add_argument("--cosim", type=pathlib.Path, default=pathlib.Path("build/cosim"))
    parser.add_argument("--core", type=pathlib.Path, default=pathlib.Path("build/core"))
    parser.add_argument("--json", default="build/mutation.json")
    parser.add_argument("--mutations", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", choices=["all", "directed", "weak"], default="all")
    parser.add_argument("--forms", default=",".join(FORMS), type=lambda text: text.split(","))
    parser.add_argument("--only", help="points in files whose name has this")
    parser.add_argument("--no-proof", action="store_true")
    parser.add_argument("--least", type=float, default=0, help="fail when the score is less (%%)")
    try:
        return Mutation(parser.parse_args()).run()
    except (Failure, cosim.Failure) as failure:
        print(f"mutation: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
