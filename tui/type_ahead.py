"""Keys that come faster than they are answered wait for each other, and tidying up for a rest."""

import gc
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from textual import events, on
from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump

HELD = 0.02
"""Seconds until it is looked again whether keys are still held."""
LOST = 1.0
"""Seconds after which a message that has not come back is taken for lost, with what it was in."""
REST = 3.0
"""Seconds without a key after which what is garbage is looked for everywhere."""
NEVER = 1_000_000
"""Collections of younger garbage before Python itself would look everywhere."""


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
        self._last_key = 0.0
        """When there was one; 0 for none since everything was tidied up."""

    def on_mount(self) -> None:
        """From now on look for old garbage only while no key is pressed.

        Looking through everything takes longer than a key may, and is due at any time otherwise.
        """
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)
        self.set_interval(REST, self._tidy)

    def _tidy(self) -> None:
        if self._last_key and monotonic() - self._last_key > REST:
            self._last_key = 0.0
            gc.collect()

    @contextmanager
    def at_work(self, pump: MessagePump) -> Iterator[None]:
        """While `pump` handles a message, which may take longer than it is in the queue."""
        self._busy.add(pump)
        try:
            yield
        finally:
            self._busy.discard(pump)

    def holds_keys(self) -> bool:
        """Whether what a key has asked for is about to come, and keys go where that leads."""
        return False

    async def on_event(self, event: events.Event) -> None:
        """Put keys in line."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._last_key = monotonic()
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
            if self.holds_keys():
                self._until = monotonic() + LOST
                self.set_timer(HELD, self._look_on)
                return
            await super().on_event(self._ahead.popleft())

    def _is_under_way(self) -> bool:
        """Whether a message is on its way or worked at, and what has the focus may yet change."""
        if self._busy or self.message_queue_size:
            return True
        return any(each.message_queue_size for each in self.screen.walk_children(with_self=True))
