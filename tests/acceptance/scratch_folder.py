"""Where a check makes its files."""
import contextlib
import os
import shutil
import tempfile


@contextlib.contextmanager
def scratch_folder(keep, prefix):
    """A folder's absolute path: `keep`, which is left as it is, or one of its own that goes when the check ends."""
    folder = keep or tempfile.mkdtemp(prefix=prefix)
    os.makedirs(folder, exist_ok=True)
    try:
        yield os.path.abspath(folder)
    finally:
        if not keep:
            shutil.rmtree(folder)
