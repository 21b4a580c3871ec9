# SPDX-License-Identifier: Apache-2.0
"""Shows that a change of the Verilog text changes nothing: for every state and input, all outputs and the next values of all
registers are the same (yosys: registers become ports, both netlists share their inputs, what they have in common is merged, SAT).
What cannot be shown in a few seconds, or differs only in states that never come or where nobody looks, counts as not shown.
A register that is loaded with nothing but a constant
has it from the reset on. The predictor is taken with 8 entries."""
import pathlib
import subprocess
import threading

import points

SECONDS = 15  # for SAT
NETLIST = ("read_verilog -DSYNTHESIS {files}; hierarchy -top {top} {parameters}; proc; flatten; opt_clean; memory_collect; memory_map; "
           "opt_expr; opt_dff; opt_expr; opt_clean; opt_dff; opt_expr; opt_clean; dffunmap; opt_expr; opt_clean; "
           "expose -evert-dff; opt_clean; rename -top {name}; write_rtlil {out}")
COMPARE = ("read_rtlil {gold}; read_rtlil {gate}; miter -equiv -flatten gold gate miter; hierarchy -top miter; opt_expr; opt_merge -share_all; "
           "opt_expr; opt_merge -share_all; opt_clean; sat -verify -timeout {seconds} -prove trigger 0 miter")


def yosys(script):
    done = subprocess.run(["yosys", "-q", "-p", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout[-2000:]


class Prover:
    def __init__(self, sources, build, forms):
        self.sources, self.build, self.forms = sources, build, forms
        self.gold = {}
        self.lock = threading.Lock()

    def netlist(self, form, name, folder, point=None):
        top, parameters, _ = self.forms[form]
        if parameters.get("PREDICT"):
            parameters = {**parameters, "PREDICT": 3}
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for file, text in self.sources.items():
            path = folder / pathlib.Path(file).name
            path.write_text(points.changed(text, point) if point and point.file == file else text)
            files.append(str(path))
        out = folder / f"{name}.il"
        good, said = yosys(NETLIST.format(files=" ".join(files), top=top, name=name, out=out,
                                          parameters=" ".join(f"-chparam {k} {v}" for k, v in parameters.items())))
        return out if good else None, said

    def equivalent(self, point, form):
        with self.lock:
            if form not in self.gold:
                self.gold[form], said = self.netlist(form, "gold", self.build / f"gold-{form}")
                if self.gold[form] is None:
                    raise RuntimeError(f"yosys: {said}")
        gate, _ = self.netlist(form, "gate", self.build / f"{form}-{pathlib.Path(point.file).stem}-{point.first}-{abs(hash(point.new)) % 10000}", point)
        return gate is not None and yosys(COMPARE.format(gold=self.gold[form], gate=gate, seconds=SECONDS))[0]
