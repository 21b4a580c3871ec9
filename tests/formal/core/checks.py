# SPDX-License-Identifier: Apache-2.0
"""The checks: which configuration of the core, which properties, how deep."""
import dataclasses

CONFIGS = {
    "static": ("MUL_FAST=1",),
    "predict": ("MUL_FAST=1", "PREDICT=4", "LATE=1", "LUTRAM=1"),
    "mid": ("MUL_FAST=0",),
    "small": ("MUL_FAST=0", "COMPACT=1"),
}
# Configurations with an option more; for these the instructions only.
OPTIONS = {"bits": ("MUL_FAST=1", "BITS=1"), "atomic": ("MUL_FAST=1", "ATOMIC=1")}
SMALLER = "strash; dc2; scorr"


@dataclasses.dataclass
class Check:
    config: str
    title: str
    defines: tuple = ()
    depth: int = 14                      # cycles, the two of reset among them; 0: unbounded
    limit: int = 900                     # seconds
    short: bool = False                  # in make test-formal-core
    cover: bool = False                  # each property must fail
    top: str = "formal_core"
    sources: tuple = ()
    script: tuple = ()
    free: bool = True                    # registers without initial value start as anything
    prepare: str = SMALLER

    @property
    def name(self):
        return f"{self.config}.{self.title}"

    @property
    def engine(self):
        return f"bmc3 -v -F {self.depth}" if self.depth else "pdr"


# The register that chain.vh follows is the one that the stand-in for the register file keeps.
JOINED = (r"connect -set place core.regfile.place",)


def all_checks():
    for config, defines in {**CONFIGS, **OPTIONS}.items():
        def core(title, depth, more=(), configs=("static",), config=config, defines=defines, **rest):
            return Check(config, title, (f"CHECK_{title.upper()}", *defines, *more), depth, short=config in configs, **rest)
        yield core("insn", 14)
        if config not in CONFIGS:
            continue
        yield core("reach", 16, ("WITH_IRQ", "WITH_DEBUG"), ("static", "small"), cover=True)
        yield core("chain", 14, configs=("static", "predict"), script=JOINED)
        yield core("obs", 16, ("WITH_IRQ", "WITH_DEBUG"))
        yield core("bus", 14, configs=("static", "small"))
        yield core("csr", 14, ("WITH_IRQ",))
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
