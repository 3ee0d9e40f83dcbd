"""How far the indexing beside the screen has come, as its events tell."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..core.sources import Skipped

if TYPE_CHECKING:
    from ..core.indexing import Failed, Finished
    from ..core.ingest import Progress

BUSY = "another Chunkscope is indexing"
"""How the message of a library that has a writer already is told from others."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far the indexing has come."""

    running: bool = False
    busy: bool = False
    """Another program was seen indexing into this library; it is to be tried again."""
    documents: int = 0
    total: int = 0
    generation: int = 0
    """Grows with every batch that can be found from then on."""
    error: str = ""
    """What stopped it; empty if nothing did."""
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    """What the reader should know, such as that a damaged index was made again."""

    def after(self, event: "Progress | Finished | Failed") -> "IndexState":
        """The state after an event of the indexing."""
        from ..core.indexing import Failed, Finished

        if isinstance(event, Failed) and BUSY in event.message:
            return replace(self, running=False, busy=True)
        if isinstance(event, Failed):
            return replace(self, running=False, error=event.message)
        if isinstance(event, Finished):
            result = event.result
            return replace(
                self,
                running=False,
                busy=False,
                documents=self.total,
                generation=result.generation,
                skipped=result.skipped,
                notes=result.notes,
            )
        return replace(
            self, busy=False, documents=event.documents_done, generation=event.generation
        )
