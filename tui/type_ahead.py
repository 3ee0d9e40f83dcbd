"""Keys that come faster than they are answered: each one waits for the one before it."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from textual import events, on
from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump

LOST = 1.0
"""Seconds after which a message that has not come back is taken for lost, with what it was in."""


class Through(Message):
    """Goes the way of a key, from what has the focus up to the application, behind all else."""


class KeysInTurn(App[None]):
    """Looks at a key when nothing is under way any more between what has the focus and itself.

    Textual sends a key on to what has the focus at once, and does what it is bound to when it has
    come back from there: what is typed ahead of `/` would be sent to the text, not to the box.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ahead: deque[events.Key | events.Paste] = deque()
        """What was typed or pasted and is not looked at yet."""
        self._until = 0.0
        """Until when `Through` is waited for that is under way."""
        self._busy: set[MessagePump] = set()
        """What has taken a message from its queue and is not done with it."""

    @contextmanager
    def at_work(self, pump: MessagePump) -> Iterator[None]:
        """While `pump` handles a message, which may take longer than it is in the queue."""
        self._busy.add(pump)
        try:
            yield
        finally:
            self._busy.discard(pump)

    async def on_event(self, event: events.Event) -> None:
        """Put keys in line."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._ahead.append(event)
            if monotonic() > self._until:
                await self._look_on()
        else:
            await super().on_event(event)

    @on(Through)
    async def _look_on(self) -> None:
        self._until = 0.0
        while self._ahead and self.is_running:
            if self._is_under_way():
                self._until = monotonic() + LOST
                (self.focused or self.screen).post_message(Through())
                return
            await super().on_event(self._ahead.popleft())

    def _is_under_way(self) -> bool:
        """Whether a message is on its way or worked at, and what has the focus may yet change."""
        if self._busy or self.message_queue_size:
            return True
        return any(each.message_queue_size for each in self.screen.walk_children(with_self=True))
