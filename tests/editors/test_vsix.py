#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package of the extension for Visual Studio Code: what is in it, that its parts are there, and its version.

usage: test_vsix.py --vsix FILE --gnomon FILE"""
import json
import re
import sys
import xml.etree.ElementTree
import zipfile

from checking import expect, result, same
from commands import must
from options import values

VSIX, GNOMON = values(__doc__, "vsix", "gnomon")
SOURCE = "editors/vscode"
FILES = {"package.json", "README.md", "LICENSE.txt", "costs.js", "extension.js"}

with zipfile.ZipFile(VSIX) as package:
    same("not damaged", package.testzip(), None)
    text = {name: package.read(name).decode() for name in package.namelist()}
inside = {name.removeprefix("extension/"): content for name, content in text.items() if name.startswith("extension/")}
same("its files, and no others", set(inside), FILES)
for name in ("costs.js", "extension.js"):
    same(f"{name} is that of the tree", inside[name] == open(f"{SOURCE}/{name}", encoding="utf-8").read(), True)
same("the licence", inside["LICENSE.txt"] == open("LICENSE", encoding="utf-8").read(), True)

manifest = json.loads(inside["package.json"])
same("the version of gnomon", manifest["version"], re.search(r"\d+\.\d+\.\d+", must([GNOMON, "--version"])).group())
expect("its main file is there", manifest["main"].removeprefix("./") in inside, manifest["main"])
same("no packages of others", manifest.get("dependencies", {}), {})
settings, code = manifest["contributes"]["configuration"]["properties"], inside["extension.js"]
for name in settings:
    expect(f"the code reads {name}", f"'{name.removeprefix('gnomon.')}'" in code)
for command in manifest["contributes"]["commands"]:
    expect(f"the code has {command['command']}", f"'{command['command']}'" in code)
expect("the readme names each setting", all(name in inside["README.md"] for name in settings))
identity = xml.etree.ElementTree.fromstring(text["extension.vsixmanifest"]).find("{*}Metadata/{*}Identity")
same("the package's identity", (identity.get("Id"), identity.get("Version"), identity.get("Publisher")), ("gnomon", manifest["version"], "gnomon"))
sys.exit(result())
