# SPDX-License-Identifier: Apache-2.0
"""The virtual environment with VQF in it that the comparisons run in; made in the user's cache, on first use."""

import importlib.util
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "otolith" / "benchmarks"


def stop(text):
    print(f"bench-{pathlib.Path(sys.argv[0]).stem}: {text}", file=sys.stderr)
    sys.exit(69)


def enter_environment():
    """Goes on in a virtual environment that has VQF, made on first use."""
    wanted = (HERE / "requirements.txt").read_text()
    python = CACHE / "python" / "bin" / "python3"
    mark = CACHE / "python" / "requirements.txt"
    if not (python.exists() and mark.exists() and mark.read_text() == wanted):
        if importlib.util.find_spec("ensurepip") is None:
            stop("Python's venv and pip are missing; try: apt-get install python3-venv")
        shutil.rmtree(CACHE / "python", ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        install = [
            str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:",
            "--requirement", str(HERE / "requirements.txt"),
        ]
        for command in ([sys.executable, "-m", "venv", str(CACHE / "python")], install):
            if subprocess.run(command).returncode:
                stop(f"could not fetch VQF; try: {shlex.join(command)}")
        mark.write_text(wanted)
    if pathlib.Path(sys.prefix) != CACHE / "python":
        sys.stdout.flush()
        os.execv(python, [str(python), "-B", *sys.argv])
