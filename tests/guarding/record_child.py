"""Records programs one after the other in a process of its own: `python record_child.py OUT PROGRAM_ARGUMENT PROGRAM...`

Each program runs in a folder OUT/<name> and leaves `run.pcrec` there, with its exit code in `code`. Needs numpy and the
program's runtime only, so that it runs in an environment that holds rknn-toolkit2.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from prepcheck.guarding.tracing import run_script

OUT, ARGUMENT, *PROGRAMS = sys.argv[1:]
for program in PROGRAMS:
    folder = Path(OUT) / Path(program).stem
    folder.mkdir(parents=True)
    os.chdir(folder)
    code = run_script(program, [ARGUMENT], "run.pcrec", keep_runs=2)
    (folder / "code").write_text(str(code))
