"""Work that whoever asked for it no longer waits for: it ends as soon as it can."""

from ..errors import SourceError

_abandoned = 0
"""How often what was going on has been abandoned."""


class AbandonedError(SourceError):
    """The chunks of a document are not wanted any more."""


def abandon() -> None:
    """End what takes long of the cutting that goes on now: the program is about to end."""
    global _abandoned
    _abandoned += 1


class Wanted:
    """What somebody waits for from now on."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = _abandoned

    @property
    def still(self) -> bool:
        """Whether nothing has been abandoned since."""
        return self._began == _abandoned

    def check(self) -> None:
        """AbandonedError if it is not wanted any more."""
        if not self.still:
            raise AbandonedError(f"{self._what}: abandoned while it was being cut")
