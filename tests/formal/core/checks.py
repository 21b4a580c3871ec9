# SPDX-License-Identifier: Apache-2.0
"""The checks: configuration of the core, properties, depth."""
import dataclasses

CONFIGS = {
    "static": ("MUL_FAST=1",),
    "predict": ("MUL_FAST=1", "PREDICT=4", "LATE=1", "LUTRAM=1"),
    "mid": ("MUL_FAST=0",),
    "small": ("MUL_FAST=0", "COMPACT=1"),
}
# Configurations with one more option.
OPTIONS = {
    "bits": ("MUL_FAST=1", "BITS=1"),
    "atomic": ("MUL_FAST=1", "ATOMIC=1"),
    "user": ("MUL_FAST=1", "USER=1"),
    "pmp": ("MUL_FAST=1", "USER=1", "PMP=4", "PMP_GRAIN=28"),  # short comparators; the unit's own checks have long ones
    "overflow": ("MUL_FAST=1", "OVERFLOW=1"),
    "trigger": ("MUL_FAST=1", "USER=1", "TRIGGERS=2"),
    "full": ("MUL_FAST=1", "PREDICT=4", "LATE=1", "LUTRAM=1", "ATOMIC=1", "BITS=1", "USER=1", "TRIGGERS=2", "OVERFLOW=1"),
}
SMALLER = "strash; dc2; scorr"


@dataclasses.dataclass
class Check:
    config: str
    title: str
    defines: tuple = ()
    depth: int = 14                      # cycles, including two of reset; 0: unbounded
    limit: int = 900                     # seconds
    short: bool = False                  # also in make test-formal-core
    cover: bool = False                  # each property must fail
    top: str = "formal_core"
    sources: tuple = ()
    script: tuple = ()
    early: tuple = ()                    # executed before the modules are flattened
    free: bool = True                    # registers without an initial value start with any value
    prepare: str = SMALLER

    @property
    def name(self):
        return f"{self.config}.{self.title}"

    @property
    def engine(self):
        return f"bmc3 -v -F {self.depth}" if self.depth else "pdr"


# chain.vh follows the same register as the stand-in for the register file.
JOINED = (r"connect -set place core.u_regfile.place",)
# The model of the CSRs starts with their state at the end of reset.
START = tuple(f"connect -set start_{a} core.{b}" for a, b in (
    ("csrs", "csr_state"), ("user", "user"), ("step", "step"), ("ebreakm", "ebreakm"), ("ebreaku", "ebreaku"))) + ("connect -set start_zero 1'0",)
START_OF = {
    "USER": ("connect -set start_counteren core.u_guard.with_user.u_mode.counteren",),
    "OVERFLOW": ("connect -set start_overflow core.u_csr.overflow_pending",),
    "PMP": ("connect -set start_configs core.u_guard.with_pmp.u_pmp.used",
            *(f"connect -set start_addresses[{30 * n + 29}:{30 * n}] core.u_guard.with_pmp.u_pmp.entry[{n}].there.address"
              for n in range(4))),
    "TRIGGERS": tuple(f"connect -set start_{a} core.u_guard.with_triggers.u_trigger.{b}" for a, b in (
        ("controls", "controls"), ("places", "addresses"), ("select", "select"))),
}
KEPT = ("setattr -set keep 1 *gnomon_core/w:csr_state",)
# The state is arbitrary: these two units do not see the reset.
ANY_STATE = (*KEPT, "select *gnomon_core", "connect -port u_csr rst_i 1'0", "connect -port u_guard rst_i 1'0", "select -clear")
NO_ZEROS = ("setattr -unset init w:core.u_csr.words*",)


def all_checks():
    for config, defines in {**CONFIGS, **OPTIONS}.items():
        start = START + sum((START_OF.get(d.split("=")[0], ()) for d in defines), ())
        any_state = {"early": ANY_STATE, "script": start + NO_ZEROS}
        guarded = 12 if config in ("pmp", "trigger", "full") else 14  # each additional cycle takes five times as long

        def core(title, depth, more=(), configs=("static",), config=config, defines=defines, start=start, **rest):
            return Check(config, title, (f"CHECK_{title.upper()}", *defines, *more), depth, short=config in configs,
                         **{"early": KEPT, "script": start, **rest})
        yield core("insn", guarded, **any_state)
        yield core("csr", 14, ("WITH_IRQ",), configs=("static", "overflow"), **any_state)
        yield core("bus", guarded, configs=("static", "small"), **any_state)
        yield core("chain", 14, ("WITH_IRQ",), early=ANY_STATE, script=any_state["script"] + JOINED)
        yield core("reach", 16, ("WITH_IRQ", "WITH_DEBUG"), cover=True, **any_state)
        yield core("reset", 4)
        if config not in CONFIGS:
            continue
        yield core("obs", 16, ("WITH_IRQ", "WITH_DEBUG"))
        yield core("live", 40, ("WAIT=1", f"LIMIT={24 if config == 'predict' else 16}"), ())
        yield core("fetch", 12)

    def unit(title, depth, sources, defines=(), **rest):
        return Check("unit", title, defines, depth, short=True, top=f"formal_{sources[0][:-2]}", sources=sources, **rest)
    muldiv = ("div.v", "gnomon_core_muldiv.v")
    any_state = ("setattr -unset init w:*",)
    yield unit("muldiv-reset", 6, muldiv)
    yield unit("muldiv-step", 2, muldiv, ("STEP",), script=any_state, prepare="fold; strash")
    yield unit("product-halves", 3, ("mul.v", "gnomon_core_mul.v"))
    yield unit("regfile", 8, ("regfile.v", "gnomon_core_regfile.v"), script=any_state, prepare="strash")
    for entries, grain in (4, 2), (4, 5), (16, 26):     # the proof with 16 entries and long comparators does not end
        joined = ("connect -set start_zero 1'0", "connect -set start_configs dut.used", *(
            f"connect -set start_addresses[{30 * n + 29}:{30 * n}] dut.entry[{n}].there.address" for n in range(entries)))
        yield dataclasses.replace(
            unit("pmp", 4, ("pmp.v", "guard.v", "gnomon_core_pmp.v", "gnomon_core_pmp_check.v"), (f"PMP={entries}", f"PMP_GRAIN={grain}"),
                 script=joined), title=f"pmp-{entries}-{grain}", short=False)
