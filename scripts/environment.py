"""Environments of Python with packages of PyPI, for scripts that hold the program against others. They stay under `.build`."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def made(name, without, options=()):
    """The folder of the programs of an environment, which has what `scripts/NAME-packages.txt` asks for, as new as that.

    Where the packages cannot be had and the variable NAME in capitals is `optional`, the script says `without` and ends well."""
    folder, packages = ROOT / '.build' / name, ROOT / f'scripts/{name}-packages.txt'
    ready = folder / 'ready'
    if not ready.exists() or ready.stat().st_mtime < packages.stat().st_mtime:
        try:
            subprocess.run([sys.executable, '-m', 'venv', folder], check=True, stdout=sys.stderr)
            subprocess.run([folder / 'bin/python', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', *options,
                            '--requirement', packages], check=True, stdout=sys.stderr, timeout=300)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            if os.environ.get(name.upper()) != 'optional':
                raise
            print(f'test-{name}: {without}')
            sys.exit(0)
        ready.touch()
    return folder / 'bin'


def enter(name, without, options=()):
    """Runs the script anew in such an environment; called where something cannot be imported, in it too: then that is the end."""
    if Path(sys.prefix).resolve() == (ROOT / '.build' / name).resolve():
        raise
    python = made(name, without, options) / 'python'
    os.execv(python, [str(python), *sys.argv])
