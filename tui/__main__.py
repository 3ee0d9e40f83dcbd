"""`python -m chunkscope.tui`: the same as the command `chunkscope`."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
