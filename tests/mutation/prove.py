# SPDX-License-Identifier: Apache-2.0
"""Proves that a change of the Verilog text is equivalent: for every state and input, all outputs and the next values
of all registers are equal (yosys: registers become ports, both netlists share their inputs, common parts are
merged, SAT). A change counts as unproved if the proof takes more than a few seconds, or if it differs only in
unreachable states or in unused values. A register that is only loaded with one constant has this value from the
reset on."""
import json
import pathlib
import subprocess
import threading

import points

SECONDS = 15  # for SAT
NETLIST = ("read_verilog -DSYNTHESIS {files}; {before}; hierarchy -top {top} {parameters}; {behind}; proc; flatten; opt_clean; memory_collect; memory_map; "
           "opt_expr; opt_dff; opt_expr; opt_clean; opt_dff; opt_expr; opt_clean; dffunmap; opt_expr; opt_clean; "
           "simplemap t:$dff; {ports}; rename -top {name}; write_json {out}")
COMPARE = ("read_json {gold}; read_json {gate}; miter -equiv -flatten gold gate miter; hierarchy -top miter; opt_expr; opt_merge -share_all; "
           "opt_expr; opt_merge -share_all; opt_clean; sat -verify -timeout {seconds} -prove trigger 0 miter")
# A large unit: treats its ports as the environment's, unless the unit itself is changed; then the design is small.
PREDICTOR = "gnomon_core_predict"


def yosys(script):
    done = subprocess.run(["yosys", "-q", "-p", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout[-2000:]


def registers_to_ports(path):
    """Turns each register of the netlist into an input, its value, and an output, its next value. Both netlists must
    use the same names: of all names of a register, each with signal and bit, the first one in alphabetical order."""
    design = json.loads(path.read_text())
    design["modules"] = {name: module for name, module in design["modules"].items() if module["attributes"].get("top")}
    (module,) = design["modules"].values()
    names = {}
    for name, net in module["netnames"].items():
        for index, bit in enumerate(net["bits"]):
            names.setdefault(bit, []).append(f"{name}.{index}")
    for name, cell in list(module["cells"].items()):
        if cell["type"].startswith("$_DFF_"):
            q, d = cell["connections"]["Q"][0], cell["connections"]["D"][0]
            known = min(names[q])
            module["ports"][f"{known}.value"] = {"direction": "input", "bits": [q]}
            module["ports"][f"{known}.next"] = {"direction": "output", "bits": [d]}
            del module["cells"][name]
    path.write_text(json.dumps(design))


class Prover:
    def __init__(self, sources, build, forms):
        self.sources, self.build, self.forms = sources, build, forms
        self.gold = {}
        self.lock = threading.Lock()

    def netlist(self, form, name, folder, point=None, whole=False):
        top, parameters, _ = self.forms[form]
        if parameters.get("PREDICT"):
            parameters = {**parameters, "PREDICT": 3}
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for file, text in self.sources.items():
            path = folder / pathlib.Path(file).name
            path.write_text(points.changed(text, point) if point and point.file == file else text)
            files.append(str(path))
        for header in pathlib.Path("rtl/core").glob("*.vh"):
            (folder / header.name).write_text(header.read_text())
        out = folder / f"{name}.json"
        before = f"chparam -set COUNTERS_LOG2 6 -set HISTORY 4 {PREDICTOR}" if top == "gnomon_core" else ""
        behind = ports = ""
        if "PREDICT" in parameters and not whole:
            behind, ports = f"blackbox *{PREDICTOR}*", f"expose -evert t:*{PREDICTOR}*"
        good, said = yosys(NETLIST.format(files=" ".join(files), top=top, name=name, out=out, before=before, behind=behind, ports=ports,
                                          parameters=" ".join(f"-chparam {k} {v}" for k, v in parameters.items())))
        if good:
            registers_to_ports(out)
        return out if good else None, said

    def equivalent(self, point, form):
        which = (form, PREDICTOR in point.file)
        with self.lock:
            if which not in self.gold:
                self.gold[which], said = self.netlist(form, "gold", self.build / f"gold-{form}-{which[1]:d}", whole=which[1])
                if self.gold[which] is None:
                    raise RuntimeError(f"yosys: {said}")
        gate, said = self.netlist(form, "gate", self.build / f"{form}-{pathlib.Path(point.file).stem}-{point.first}-{abs(hash(point.new)) % 10000}", point,
                               whole=which[1])
        if gate is None:
            raise RuntimeError(f"yosys: {said}")
        same, said = yosys(COMPARE.format(gold=self.gold[which], gate=gate, seconds=SECONDS))
        # A register in only one of the netlists is a difference.
        if not same and "Called with -verify" not in said and "No matching port" not in said:
            raise RuntimeError(f"yosys: {said}")
        return same
