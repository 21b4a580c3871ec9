# SPDX-License-Identifier: Apache-2.0
"""Named options on the command line of a test."""
import argparse


def parser(text, *names):
    """A parser with a required option --NAME for each of the names. Its help is `text`, the text at the head of the test."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    for name in names:
        made.add_argument(f"--{name}", required=True)
    return made


def values(text, *names, rest=None, least=1):
    """The values of the required options, in the order of their names. With `rest`, a name for the help, the list of all other arguments
    comes last: one or more of them, or with least=0 perhaps none."""
    made = parser(text, *names)
    if rest:
        made.add_argument("rest", nargs="+" if least else "*", metavar=rest)
    given = made.parse_args()
    return [getattr(given, name.replace("-", "_")) for name in names] + ([given.rest] if rest else [])
