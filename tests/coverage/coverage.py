#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the directed programs, co-simulation and the cache's bench reach of rtl/core and rtl/cache (docs/verification/mutation.md):
every condition both ways (if, case label, ? :), where the ones around it hold; and the cross events of events.py.

Both are counted in a copy of the text with a call behind each condition; nothing else is changed in it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cosim"))
sys.path.insert(0, str(ROOT / "tests/mutation"))
import cosim  # noqa: E402  pylint: disable=wrong-import-position,import-error
import events  # noqa: E402  pylint: disable=wrong-import-position,import-error
import mutation  # noqa: E402  pylint: disable=wrong-import-position,import-error
import points  # noqa: E402  pylint: disable=wrong-import-position,import-error
from mutation import BESIDE, Failure, tool  # noqa: E402  pylint: disable=wrong-import-position,import-error

# model, as in mutation.py: (form whose events it counts, log2 of its predictor's entries)
MODELS = {"tb-static": ("full", 0), "tb-predict": ("full", 9), "tb-late": ("full", 0), "tb-user": ("full", 0), "tb-compact": ("compact", 0),
          "tb-compact-user": ("compact", 0), "tb-slow": ("", 0), "predict": ("full", 9), "alias": ("full", 3), "user": ("full", 9),
          "compact": ("compact", 0), "compact-user": ("compact", 0), "cache-512": ("", 0), "compact-512": ("", 0), "dcache-512": ("", 0),
          "dcache-buffer": ("", 0)}
MODELS = {name: (mutation.MODELS[name][0], form, mutation.MODELS[name][1], predict) for name, (form, predict) in MODELS.items()}
# Of those for every core, and of those for one with user mode.
COMMON = [*mutation.PROGRAMS, "insns", "causes"]
PRIVILEGED = ["bypass", "debug", "irq", "smc", "traps", "user", "pmp", "trigger", "debug_user", "debug_cross_user"]
PROGRAMS = {"tb-static": COMMON + ["timing"], "tb-predict": COMMON + ["predict"], "tb-late": COMMON + ["late", "atomic", "options"],
            "tb-user": PRIVILEGED + ["timing_user"], "tb-compact": COMMON, "tb-compact-user": PRIVILEGED, "tb-slow": COMMON}
CYCLES = ("predict", "timing", "insns", "timing_user")  # what stalls add nothing to
OBJECTS = ("bus", "checker", "checker_reference", "decode", "loader")
COUNTER = """#include <cstdio>
#include <cstdlib>
#include <vector>
namespace {
struct Hits {
    std::vector<bool> hit;
    ~Hits() {
        FILE *out = fopen(getenv("COVERAGE_OUT"), "w");
        for (unsigned n = 0; out && n < hit.size(); n++)
            if (hit[n])
                fprintf(out, "%u\\n", n);
        if (out)
            fclose(out);
    }
} hits;
}
extern "C" void hit(int number) {
    unsigned n = static_cast<unsigned>(number);
    if (hits.hit.size() <= n)
        hits.hit.resize(n + 1);
    hits.hit[n] = true;
}
"""


class Coverage:
    def __init__(self, options):
        self.options, self.build = options, options.build
        self.sources = {path.relative_to(ROOT).as_posix(): path.read_text()
                        for room in ("core", "cache") for path in sorted((ROOT / "rtl" / room).glob("*.v")) if path.name not in BESIDE}
        # Numbers of all that is counted: two for each condition, then the events of each form.
        self.branches = []                       # (file, branch, way)
        self.number = {}
        self.by_file = {file: points.branches_of(file, text) for file, text in self.sources.items()}
        for file, branches in self.by_file.items():
            for branch in branches:
                self.number[file, branch] = len(self.branches)
                self.branches += [(file, branch, True), (file, branch, False)]
        self.events = [(form, name) for form in ("full", "compact") for name, _ in events.events(form)]
        self.first_event = {}
        for index, (form, _) in enumerate(self.events):
            self.first_event.setdefault(form, len(self.branches) + index)

    # ---- The copy that counts ----
    def instrumented(self, file, hit):
        text, out, place = self.sources[file], [], 0
        clocked = re.search(r"\binput\s+wire\s+clk_i\b", text)
        for branch in sorted(self.by_file[file], key=lambda b: b.end):
            out.append(text[place:branch.end])
            place = branch.end
            guard = "".join(f"({g}) && " for g in branch.guards)
            for way, condition in ((0, f"({branch.condition})"), (1, f"!({branch.condition})")):
                number = self.number[file, branch] + way
                if clocked:
                    out.append(f"\n    reg seen_{number} = 1'b0; always @(posedge clk_i) if (!seen_{number} && {guard}{condition}) "
                               f"begin seen_{number} <= 1'b1; {hit(number)} end")
                else:
                    out.append(f"\n    always @* if ({guard}{condition}) {hit(number)}")
        return "".join(out) + text[place:]

    def event_text(self, form, predict):
        listed = events.events(form)
        bits = []
        for name, condition in listed:
            absent = not predict and name.split("/")[0] in ("predict", "alias", "unclaimed")
            bits.append("1'b0" if absent else f"({condition}) != 0")
        count = len(bits)
        joined = ",\n        ".join(reversed(bits))
        return (f"`include \"{ROOT}/tests/coverage/cover.vh\"\n    wire [{count - 1}:0] event_now = {{\n        {joined}}};\n"
                f"    reg [{count - 1}:0] event_seen = 0;\n    integer event_number;\n    always @(posedge clk_i)\n"
                f"        if (!rst_i && (event_now & ~event_seen) != 0) begin\n            event_seen <= event_seen | event_now;\n"
                f"            for (event_number = 0; event_number < {count}; event_number = event_number + 1)\n"
                f"                if (event_now[event_number] && !event_seen[event_number]) counting::hit({self.first_event[form]} + event_number);\n"
                f"        end\nendmodule")

    def write_sources(self, name):
        kind, form, _, predict = MODELS[name]
        folder = self.build / name / "rtl"
        folder.mkdir(parents=True, exist_ok=True)
        hit = (lambda n: f"$display(\"hit %0d\", {n});") if kind == "block" else (lambda n: f"counting::hit({n});")
        for file in self.sources:
            text = self.instrumented(file, hit)
            if file.endswith("/gnomon_core.v") and form:
                text = text.replace("endmodule", self.event_text(form, predict))
            mutation.write(folder / pathlib.Path(file).name, text)
        for header in (ROOT / "rtl/core").glob("*.vh"):
            mutation.write(folder / header.name, header.read_text())
        return folder

    def build_model(self, name):
        kind, _, flags, _ = MODELS[name]
        rtl = self.write_sources(name)
        mutation.write(rtl / "flags", " ".join(flags))
        needs = [*rtl.glob("*"), *(ROOT / "tests/rtl").glob("c*/*.v"), *(ROOT / "tests/cosim").glob("*.?pp"), ROOT / "tests/coverage/cover.vh"]
        model = self.build / name / "model"
        if model.exists() and model.stat().st_mtime > max(path.stat().st_mtime for path in needs):
            return
        folder = self.build / name
        if kind == "block":
            top, room = mutation.bench(name)
            tool(["iverilog", "-g2012", "-s", top, "-o", folder / "model"] + [f"-P{top}.{flag}" for flag in flags]
                 + ["-y", rtl, ROOT / f"tests/rtl/{room}/{top}.v"])
            return
        command = ["verilator", "--build", "--top-module", {"tb": "tb", "cosim": "gnomon_core"}[kind], "-Wno-lint", "-Wno-style", "-Wno-fatal",
                   "--Mdir", folder / "obj", "-o", "../model", "-O3", self.build / "counting.sv", (self.build / "counting.cpp").resolve(),
                   "-y", rtl] + flags
        if kind == "cosim":
            command += ["--cc", "--exe", "--x-assign", "unique", "--x-initial", "unique", "-CFLAGS", f"-std=c++17 -O1 -I{ROOT / 'tests/cosim'}",
                        rtl / "gnomon_core.v", ROOT / "tests/cosim/main.cpp", ROOT / "tests/cosim/debugger.cpp"]
            command += [(self.options.cosim / f"{o}.o").resolve() for o in OBJECTS]
        else:
            command += ["--binary", "--timing", "-CFLAGS", "-O1", "-y", ROOT / "tests/rtl/core", ROOT / "tests/rtl/core/tb.v"]
        tool(command)

    # ---- Runs ----
    def runs(self):
        """(model, name, arguments)"""
        for model, (kind, _, _, _) in MODELS.items():
            if kind == "block":
                yield model, model, []
            elif kind == "tb":
                for program in PROGRAMS[model]:
                    path = self.options.core / f"{program}.hex"
                    debug = path.with_suffix(".debug")
                    more = [f"+debug={debug}", "+halt"] if debug.exists() else []
                    yield model, f"{model}-{program}", [f"+hex={path}"] + more
                    if program not in CYCLES:
                        yield model, f"{model}-{program}-stall", [f"+hex={path}", "+stall"] + more
            elif self.options.programs:
                for setup, (models, _, harness) in cosim.SETUPS.items():
                    for n in range(self.options.programs):
                        number = self.options.seed * 1_000_000 + list(cosim.SETUPS).index(setup) * 1000 + n
                        if models[0] == model:
                            yield model, f"{setup}-{n}", [setup, str(number)] + harness

    def execute(self, run):
        model, name, arguments = run
        kind = MODELS[model][0]
        folder = self.build / "runs"
        out = folder / f"{name}.hits"
        command = [str((self.build / model / "model").resolve())]
        if kind == "block":
            said = tool(["vvp", "-n"] + command)
            return {int(line.split()[1]) for line in said.splitlines() if line.startswith("hit ")}
        if kind == "cosim":
            setup, number = arguments[:2]
            prefix = folder / name
            maker = cosim.Cosim(self.options.cosim)
            maker.make_program(prefix, setup, int(number))
            arguments = [str(prefix), "--seed", number] + arguments[2:]
        said = tool(command + arguments, env={**os.environ, "COVERAGE_OUT": str(out)})
        if kind == "cosim":
            maker.remove(prefix)
        elif "tb: pass" not in said or "FAIL" in said:
            raise Failure(f"{name}: {said[-500:]}")
        return {int(line) for line in out.read_text().split()}

    def run(self):
        options = self.options
        (self.build / "runs").mkdir(parents=True, exist_ok=True)
        (self.build / "counting.sv").write_text("package counting;\n    import \"DPI-C\" function void hit(input int number);\nendpackage\n")
        (self.build / "counting.cpp").write_text(COUNTER)
        models = [m for m in MODELS if options.programs or MODELS[m][0] != "cosim"]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(self.build_model, models))
            runs = list(self.runs())
            hits = list(pool.map(self.execute, runs))
        times = {}
        for one in hits:
            for number in one:
                times[number] = times.get(number, 0) + 1
        print(f"seed {options.seed} (SEED=), {len(runs)} runs: {', '.join(models)}")
        return self.report(times)

    # ---- Report ----
    def impossible(self, form, name):
        for wanted, pattern, reason in events.IMPOSSIBLE:
            if wanted in ("*", form) and re.fullmatch(pattern, name):
                return reason
        return None

    def report(self, times):
        wrong = False
        result = {"conditions": {}, "events": {}}
        print(f"\n{'conditions, both ways':44} {'all':>6} {'never':>6} {'reached':>8}")
        total = [0, 0]
        for file in self.sources:
            mine = [(self.number[file, b] + (0 if way else 1), b, way) for f, b, way in self.branches if f == file]
            folded = [m for m in mine if self.folded(file, m)]
            open_ones = [m for m in mine if m not in folded]
            missing = [m for m in open_ones if m[0] not in times]
            wrong |= any(m[0] in times for m in folded)
            total[0] += len(open_ones)
            total[1] += len(missing)
            share = 100 * (1 - len(missing) / max(1, len(open_ones)))
            print(f"{file:44} {len(open_ones):6} {len(missing):6} {share:6.1f} %")
            for _, branch, way in missing:
                print(f"    {file}:{branch.line} never {'true' if way else 'false'}: {' '.join(branch.condition.split())}")
            result["conditions"][file] = {"all": len(open_ones), "missing": [[b.line, way, b.condition] for _, b, way in missing]}
        conditions = 100 * (1 - total[1] / total[0])
        print(f"{'all conditions':44} {total[0]:6} {total[1]:6} {conditions:6.1f} %")

        print(f"\n{'cross events':44} {'all':>6} {'never':>6} {'cannot':>7} {'reached':>8}")
        event_total = [0, 0]
        groups = {}
        for index, (form, name) in enumerate(self.events):
            groups.setdefault((form, name.split("/")[0]), []).append((name, len(self.branches) + index))
        for (form, group), members in groups.items():
            reasons = {name: self.impossible(form, name) for name, _ in members}
            for name, number in members:
                if reasons[name] and number in times:
                    print(f"WRONG: {form} {name} is listed as impossible ({reasons[name]}) and was reached")
                    wrong = True
            possible = [m for m in members if not reasons[m[0]]]
            missing = [name for name, number in possible if number not in times]
            event_total[0] += len(possible)
            event_total[1] += len(missing)
            share = 100 * (1 - len(missing) / max(1, len(possible)))
            print(f"{form + ' ' + group:44} {len(possible):6} {len(missing):6} {len(members) - len(possible):7} {share:6.1f} %")
            for name in missing:
                print(f"    {form} {name}")
            result["events"][f"{form} {group}"] = {"all": len(possible), "missing": missing,
                                                   "impossible": {n: r for n, r in reasons.items() if r},
                                                   "runs": {n: times[k] for n, k in members if k in times}}
        reached = 100 * (1 - event_total[1] / event_total[0])
        print(f"{'all events':44} {event_total[0]:6} {event_total[1]:6} {'':7} {reached:6.1f} %")
        result["reached"] = {"conditions": round(conditions, 2), "events": round(reached, 2)}
        with open(self.options.json, "w", encoding="utf-8") as out:
            json.dump(result, out, indent=1)
        for what, value, least in (("conditions", conditions, self.options.least_conditions), ("events", reached, self.options.least_events)):
            if value < least:
                print(f"FAIL: {value:.2f} % of the {what}, not {least} %")
                wrong = True
        return 1 if wrong else 0

    def folded(self, file, member):
        _, branch, way = member
        return any(file.endswith(f) and " ".join(branch.condition.split()) == text and way == w for f, text, w, _ in events.FOLDED)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/coverage"))
    parser.add_argument("--cosim", type=pathlib.Path, default=pathlib.Path("build/cosim"))
    parser.add_argument("--core", type=pathlib.Path, default=pathlib.Path("build/core"))
    parser.add_argument("--json", default="build/coverage.json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1, help="of each set-up of co-simulation")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least-conditions", type=float, default=0)
    parser.add_argument("--least-events", type=float, default=0)
    try:
        return Coverage(parser.parse_args()).run()
    except (Failure, cosim.Failure) as failure:
        print(f"coverage: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
