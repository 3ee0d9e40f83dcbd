"""HTML to Markdown, the rules: what each element becomes."""

import re
from typing import Any

from bs4 import Tag

from .elements import BLOCKS, HEADINGS, LISTS
from .escape import escape_brackets, escape_inline, escape_line_starts, fence, target
from .frame import Context
from .grammar import grammar_lines
from .signs import CODE, EMPHASIS, STRONG, STRUCK
from .tree import classes_of, in_sentence, is_block, language_of, said_by
from .walk import ALL_SPACE, Walker, block

# Schemes that readers of Markdown refuse to link to.
_NO_LINK = re.compile(r"\s*(?:javascript|vbscript|data|file):", re.IGNORECASE)
# Items and quotations within each other beyond which none is indented: readers of Markdown stop
# there, and with `n` levels the text would be `n` times as long.
_DEEPEST = 100
_LINE = re.compile(r"^(?=.)", re.MULTILINE)


class Renderer(Walker):
    """Converts one page; with `marks`, each element's text comes out inside its pair."""

    def convert_emu_grammar(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Grammar, rendered from the element: a fence, or a code span inside a sentence."""
        lines = grammar_lines(el, self.wrap_link)
        if not lines or "pre" in parent_tags:
            return "\n".join(lines)
        if in_sentence(el):
            return self._code(" ".join(line.strip() for line in lines), parent_tags)
        return f"\n\n{self._fence(chr(10).join(lines), 'bnf')}\n\n"

    def _code(self, text: str, context: Context) -> str:
        if "_noformat" in context:
            return text
        lead = " " if text[:1].isspace() else ""
        tail = " " if text[-1:].isspace() else ""
        core = " ".join(text.split())
        if not core:
            return " " if text else ""
        core = core.replace("|", "\\|") if "_cell" in context else core
        return lead + self.signs.wrap(CODE, core) + tail

    def _fence(self, text: str, language: str = "") -> str:
        return fence(text, language, self.plain)

    def convert_code(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Code, variables and values: a code span."""
        return self._code(text, parent_tags)

    convert_kbd = convert_samp = convert_tt = convert_code
    convert_var = convert_emu_val = convert_emu_const = convert_code

    def convert_pre(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A fence; inside a cell or a heading one code span a line."""
        text = text.removeprefix("\n").rstrip()
        if not text.strip() or "pre" in parent_tags:
            return text
        if "_inline" in parent_tags:
            spans = (self._code(line, parent_tags).strip() for line in text.split("\n"))
            return "\n" + "\n".join(span for span in spans if span) + "\n"
        return f"\n\n{self._fence(text, language_of(el))}\n\n"

    convert_listing = convert_xmp = convert_plaintext = convert_pre

    def convert_emu_eqn(self, el: Tag, text: str, parent_tags: Any) -> str:
        """An equation: a fence of its own, a code span inside a sentence."""
        if "_noformat" in parent_tags:
            return text
        if "inline" in classes_of(el) or "_inline" in parent_tags or in_sentence(el):
            return self._code(text, parent_tags)
        if not text.strip():
            return ""
        lines = [line.strip() for line in text.strip().split("\n")]
        return f"\n\n{self._fence(chr(10).join(lines))}\n\n"

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: Any) -> str:
        """A heading; on ecmarkup pages, where every clause has an h1, by the clause's depth."""
        if el.name not in HEADINGS:
            return text  # `h7` is no heading
        text = text.strip()
        if not text:
            return ""
        if "_inline" in parent_tags:
            return f"\n{text}\n"  # what is around it puts it on one line
        text = ALL_SPACE.sub(" ", text)
        frame = self.frame
        if frame is not None and frame.depth:
            n += frame.depth - 1
        return f"\n\n{'#' * max(1, min(6, n))} {text}\n\n"

    def convert_a(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A link; inside code or around blocks its text alone."""
        href = el.get("href")
        if not isinstance(href, str) or "_noformat" in parent_tags or "\n\n" in text:
            return text
        if _NO_LINK.match(href):
            return text
        inner = ALL_SPACE.sub(" ", text.strip())
        if not inner:
            return " " if text else ""
        lead = " " if text[0].isspace() else ""
        tail = " " if text[-1].isspace() else ""
        if "a" in parent_tags:
            return lead + inner + tail
        if self.shortened is None:
            local = self.ecmarkup or "emu-xref" in parent_tags
        else:
            local = id(el) in self.shortened
        if local and "#" in href and not re.match(r"[a-z][a-z0-9+.-]*:|//", href, re.I):
            href = href[href.index("#") :]  # ids are unique over an ecmarkup document's pages
        url = target(href)
        if "_cell" in parent_tags:
            url = url.replace("|", "%7C")
        title = el.get("title")
        note = ""
        if isinstance(title, str) and title.strip() and "_cell" not in parent_tags:
            note = ' "' + " ".join(title.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'
        return f"{lead}[{inner}]({url}{note}){tail}"

    def convert_img(self, el: Tag, text: str, parent_tags: Any) -> str:
        """An image; inside code, cells and headings its alternative text.

        Only that of a drawing can hold something.
        """
        src = el.get("src")
        alone = not parent_tags & {"_inline", "_noformat"}
        if alone and isinstance(src, str) and not src.startswith("data:"):
            alt = escape_brackets(escape_inline(said_by(el)))
            return f"![{alt}]({target(src)})" + text
        return self._said(el, parent_tags) + text

    convert_image = convert_img

    def _said(self, el: Tag, context: Context) -> str:
        """What an element says in its attributes, as text."""
        text = said_by(el)
        if not text or "_noformat" in context:
            return text
        text = escape_line_starts(escape_inline(text), True)
        return text.replace("|", "\\|") if "_cell" in context else text

    def convert_br(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A line break."""
        return ("\n" if "pre" in parent_tags or "_inline" in parent_tags else "  \n") + text

    def convert_hr(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A rule."""
        return "\n" if "_inline" in parent_tags else "\n\n---\n\n"

    def convert_dt(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A term: bold, above its definition."""
        text = ALL_SPACE.sub(" ", text.strip())
        if not text or "_inline" in parent_tags or "_noformat" in parent_tags:
            return block(text, parent_tags)
        return f"\n\n**{text}**\n\n"

    convert_summary = convert_dt

    def convert_emphasis(self, el: Tag, text: str, parent_tags: Any, kind: int) -> str:
        """Emphasis around the text, its outer white space kept outside."""
        core = text.strip()
        plain = "_noformat" in parent_tags or "dt" in parent_tags or "summary" in parent_tags
        if plain or not core or "\n\n" in text:
            return text
        lead = " " if text[0].isspace() else ""
        tail = " " if text[-1].isspace() else ""
        return lead + self.signs.wrap(kind, core) + tail

    def convert_b(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Strong emphasis."""
        if parent_tags & {"b", "strong"}:
            return text
        return self.convert_emphasis(el, text, parent_tags, STRONG)

    convert_strong = convert_b

    def convert_em(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Emphasis."""
        if parent_tags & {"i", "em"}:
            return text
        return self.convert_emphasis(el, text, parent_tags, EMPHASIS)

    convert_i = convert_em

    def convert_del(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Struck out text."""
        if parent_tags & {"del", "s", "strike"}:
            return text
        return self.convert_emphasis(el, text, parent_tags, STRUCK)

    convert_s = convert_strike = convert_del

    def convert_q(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A quotation inside a sentence."""
        return f'"{text}"' if text.strip() else text

    def convert_span(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Text as it is; the label of an ecmarkup note is strong."""
        if self.ecmarkup and "note" in classes_of(el):
            label = f"**{text.strip()}**" if text.strip() else ""
            return label if is_block(el.next_sibling) else label + " "
        return text

    def convert_sup(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A superscript: `^n`, in brackets where it is more than one word."""
        core = text.strip()
        if not core or "\n" in core:
            return text
        return f"^({core})" if " " in core else f"^{core}"

    def convert_sub(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A subscript: the text alone."""
        return text

    def convert_rt(self, el: Tag, text: str, parent_tags: Any) -> str:
        """The reading of a ruby base, in brackets behind it."""
        return f"({text.strip()})" if text.strip() else ""

    def convert_title(self, el: Tag, text: str, parent_tags: Any) -> str:
        """The title or a label of a drawing, set apart from the next."""
        return f" {text.strip()} " if text.strip() else ""

    convert_text = convert_title

    def convert_input(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A form control: what it holds, or what its attributes say, set apart."""
        text = text.strip() or self._said(el, parent_tags)
        return f" {text} " if text else ""

    convert_button = convert_meter = convert_output = convert_progress = convert_input
    convert_select = convert_textarea = convert_input

    def convert_option(self, el: Tag, text: str, parent_tags: Any) -> str:
        """One choice of a list, or the label of several, on a line of its own."""
        lines = [line for line in (self._said(el, parent_tags), text.strip()) if line]
        return "\n" + "\n".join(lines) + "\n" if lines else ""

    convert_optgroup = convert_option

    def convert_blockquote(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A quotation: `>` before each line."""
        text = text.strip()
        if not text or "_inline" in parent_tags or self._is_too_deep():
            return block(text, parent_tags)
        quoted = "\n".join(map(self._quoted, text.split("\n")))
        return f"\n\n{quoted}\n\n"

    def _quoted(self, line: str) -> str:
        """A line with its `>`, which is part of the blocks that begin there as of their others."""
        if not line:
            return ">"
        at = 0
        while self.marks is not None and (number := self.marks.opened(line, at)) is not None:
            element = self.elements[number]
            if element is None or element.name not in BLOCKS:
                break
            at += self.marks.width
        return f"{line[:at]}> {line[at:]}"

    def _is_too_deep(self) -> bool:
        return self.frame is not None and self.frame.level > _DEEPEST

    def convert_list(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A list; one that stands directly in a list belongs to the item before it."""
        text = text.strip("\n")
        if not text.strip() or "_inline" in parent_tags:
            return block(text, parent_tags)
        parent = el.parent
        gap = "\n"
        if el.name == "ol" and not re.match(f"{self.marks.lead if self.marks else ''}1\\.", text):
            gap = "\n\n"  # only a list that starts with 1 can follow a line of text
        if parent is not None and parent.name in LISTS and not self._is_too_deep():
            width = 3 if parent.name == "ol" else 2
            return gap + _LINE.sub(" " * width, text) + "\n"
        if parent is not None and parent.name == "li":
            return gap + text + "\n"
        return f"\n\n{text}\n\n"

    convert_ul = convert_ol = convert_menu = convert_dir = convert_list

    def convert_li(self, el: Tag, text: str, parent_tags: Any) -> str:
        """One item, what follows its first line indented under it."""
        text = text.strip()
        frame = self.frame
        owner = frame.owner if frame is not None else None
        ordered = owner is not None and owner.name == "ol" and frame is not None
        bullet = f"{max(0, frame.number) % 10**9}." if ordered and frame else "-"
        if not text:
            return ""  # a bullet alone would make the line above a heading
        if "_inline" in parent_tags:
            return f"\n{bullet} {text}\n"
        if "\n" in text and not self._is_too_deep():
            text = _LINE.sub(" " * (len(bullet) + 1), text)[len(bullet) + 1 :]
        return f"\n{bullet} {text}\n"
