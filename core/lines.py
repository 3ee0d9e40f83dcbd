r"""The one place that knows what a line is.

A line ends at ``\n`` or ``\r\n`` and nowhere else: not at a lone ``\r``, a form feed, NEL or
U+2028. Lines count from 1.
"""

import re
from bisect import bisect_right

_NEWLINE = re.compile("\n")


class LineIndex:
    """Turns character offsets of one text into line numbers and back."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    @property
    def count(self) -> int:
        """Number of lines; text after the last line end counts as a line only if there is any."""
        if len(self._starts) > 1 and self._starts[-1] == len(self._text):
            return len(self._starts) - 1
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """Line that holds the character at `offset`."""
        return bisect_right(self._starts, offset)

    def start_of(self, line: int) -> int:
        """Offset of the first character of `line`; raises IndexError outside the text."""
        if line < 1:
            raise IndexError(f"lines count from 1, not {line}")
        return self._starts[line - 1]

    def end_of(self, line: int) -> int:
        """Offset just after the last character of `line`, its line end left out."""
        if line >= len(self._starts):
            self.start_of(line)
            return len(self._text)
        end = self._starts[line] - 1
        return end - 1 if end > self._starts[line - 1] and self._text[end - 1] == "\r" else end

    def next_start(self, line: int) -> int:
        """Offset at which the line after `line` starts (the text's length for the last)."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def text_of(self, line: int) -> str:
        """The characters of `line` without its line end."""
        return self._text[self.start_of(line) : self.end_of(line)]

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """First and last line (inclusive) of the non-empty span [start, end)."""
        starts = self._starts
        first = bisect_right(starts, start)
        # Most spans are short: the last line is looked for among those after the first.
        return first, bisect_right(starts, end - 1, first - 1)
