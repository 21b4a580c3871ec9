#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon collect on devices of different kinds, and programs with a kernel of their own: each figure that is said to be exact is the one of
the simulator's reference model in the same run, which has no trace and no table of watched functions; or the start is declined, with a reason.

usage: test_collect_devices.py --gnomon FILE --out FOLDER --station ELF --deep ELF --told ELF --untold ELF --watched ELF --moving ELF
       full|board   (untold: a kernel that does not say which task runs; watched, moving: threads on two harts, and that change theirs)"""
import json
import pathlib
import re
import shutil
import sys

from checking import expect, result, same
from commands import must, run, sim_options
from fleet_service import Service
from host import Host
from options import values

*PATHS, DEVICES = values(__doc__, "gnomon", "out", "station", "deep", "told", "untold", "watched", "moving", rest="full|board")
GNOMON, OUT, STATION, DEEP, TOLD, UNTOLD, WATCHED, MOVING = (pathlib.Path(value).resolve() for value in PATHS)


def joined(name, **policy):
    service = Service({"functions": 24, **policy})
    return Host(GNOMON, OUT / name, service), service


def modelled(path):
    """{function: [(calls, events) of those of that name]}"""
    known = {}
    for function in json.loads(path.read_text(encoding="utf-8"))["functions"]:
        known.setdefault(function.get("symbol") or function["name"], []).append((function["calls"], function["total_cycles"]))
    return known


def check_model(device, program, seeds, *arguments, cost="cycles", apart=(), exact=True, **policy):
    """Runs beside the reference model. `apart`: functions that call themselves, of which the model counts only the outermost calls, and the
    one in which tasks change, which it counts up to the change. `exact`: some figures must be exact, or none."""
    name, model, count = f"{program.stem} on {device} in {cost}", OUT / "model.json", 0
    host, service = joined(f"{device}-{program.stem}", costs=[cost], **policy)
    for seed in range(1, seeds + 1):
        model.unlink(missing_ok=True)
        done = host.collect("-v", "-d", f"sim:{device}", "--seed", seed,
                            *sim_options("--oracle", f"{program}={model}", "--oracle-clock", cost, "--oracle-watch"), program, "--", *arguments, input="")
        expect(f"{name}, seed {seed}: it is measured", f"in {cost}\n" in done.stderr and host.open(), done.stderr)
        known = modelled(model)
        rows = [row for row in host.listed(host.open())["rows"] if row["exact"] and row["symbol"] not in apart]
        wrong = [(row["symbol"], row["count"], row["sum"], known.get(row["symbol"])) for row in rows
                 if (int(row["count"]), int(row["sum"])) not in known.get(row["symbol"], [])]
        same(f"{name}, seed {seed}: as in the reference model", wrong, [])
        same(f"{name}, seed {seed}: each call has its cost", [row["symbol"] for row in rows if row["lost"] != "0" or int(row["count"]) == 0], [])
        count += len(rows)
        host.open().unlink()
    expect(f"{name}: exact figures", bool(count) == exact, count)
    print(f"{name}: {count} exact figures in {seeds} runs, difference 0")
    service.close()


def check_harts(program, seeds, *arguments, costs=("cycles",)):
    """Two harts, of which the reference model counts no events: beside a recording of all functions of both."""
    want, found = {}, 0
    host, service = joined(f"duo-{program.stem}", costs=list(costs))
    for cost in costs:
        trace, whole = OUT / f"duo.{cost}.gnt", OUT / f"duo.{cost}.gnp"
        clock = [] if cost == "cycles" else ["--clock", cost]
        run([GNOMON, "record", "-q", "-d", "sim:duo", "--records", "--watch", *clock, "-o", trace, program, *arguments])
        must([GNOMON, "merge", "-q", "-o", whole, trace])
        want.update(host.figures(whole))
    for seed in range(1, seeds + 1):
        host.collect("-d", "sim:duo", "--seed", seed, program, "--", *arguments, input="")
        got = host.figures(host.open())
        same(f"{program.stem} on duo, seed {seed}", {key: (row, want.get(key)) for key, row in got.items() if row != want.get(key)}, {})
        expect(f"{program.stem} on duo, seed {seed}: exact", got and not any(doubt for *_, doubt in got.values()), got)
        found += len(got)
        host.open().unlink()
    print(f"{program.stem} on duo: {found} figures of both harts in {seeds} runs, difference 0")
    service.close()


def check_declines(device, program, why):
    host, service = joined(f"declines-{device}")
    done = host.collect("-v", "-d", f"sim:{device}", program, "--", "0", input="")
    want = run([GNOMON, "run", "-d", f"sim:{device}", program, "--", "0"], input="")
    same(f"{program.stem} on {device}: as gnomon run", (done.returncode, done.stdout), (want.returncode, want.stdout))
    expect(f"{program.stem} on {device}: why", f"runs unmeasured: {why}\n" in done.stderr and not host.open(), done.stderr)
    service.close()


def check_full():
    check_declines("small", STATION, "the device cannot watch calls")
    check_declines("duo", MOVING, "threads move between harts")
    check_model("full", STATION, 3, "0", apart=["api_again"])
    check_model("full", TOLD, 4, apart=["vTaskSwitchContext"])
    check_model("full", TOLD, 2, cost="retired", apart=["vTaskSwitchContext"])
    check_model("full", UNTOLD, 2, exact=False)
    check_model("full", DEEP, 1, apart=["deep"])
    check_harts(WATCHED, 4, "40", "1", costs=("cycles", "retired"))
    check_harts(TOLD, 2)


def check_board():
    """The sizes of the ULX3S-25F: 256 places for watched functions, 64 open calls, no histograms, no time that counts events."""
    check_model("ulx3s-25f", STATION, 4, "0", apart=["api_again"])
    check_model("ulx3s-25f", STATION, 2, "0", apart=["api_again"], functions=128)
    check_model("ulx3s-25f", TOLD, 3, apart=["vTaskSwitchContext"])
    check_model("ulx3s-25f", UNTOLD, 2, exact=False)
    check_model("ulx3s-25f", DEEP, 3, apart=["deep"], exact=False)
    host, service = joined("costs", costs=["retired", "branches"])
    done = host.collect("-v", "-d", "sim:ulx3s-25f", STATION, "--", "0", input="")
    expect("a device that counts no events", "the device measures calls only in cycles\n" in done.stderr and re.search(r"measures \d+ of \d+ functions in cycles\n", done.stderr), done.stderr)
    same("rows", {row["cost"] for row in host.listed(host.open())["rows"]}, {"cycles"})
    service.close()


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    {"full": check_full, "board": check_board}[DEVICES[0]]()
    sys.exit(result())


if __name__ == "__main__":
    main()
