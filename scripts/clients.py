# SPDX-License-Identifier: Apache-2.0
"""How a program of somebody else's package is compiled against this one's modules; for the scripts beside."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def module_maps(build):
    """What SwiftPM tells a client's compiler of modules in C: this package's and those of what it fetches."""
    maps = sorted(ROOT.glob("Sources/**/module.modulemap"))
    maps += sorted(build.parent.glob("checkouts/*/Sources/*/include/module.modulemap"))
    # Of a library of the system.
    maps += sorted(build.parent.glob("checkouts/*/Sources/*/module.modulemap"))
    return [part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}")]


def command(build, file, mode, output):
    """The compiler and its arguments: as a new package of that language mode has them, with none of this project's."""
    # Down to the object: some of Swift 6's checks come after type checking.
    return ["swiftc", "-c", str(file), "-o", str(output), "-module-name", "Client", "-swift-version", mode,
            "-I", str(build / "Modules"), *module_maps(build)]
