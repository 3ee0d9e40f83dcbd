"""Markup whose words nobody reads between those of a sentence: addresses, tags, labels.

A phrase crosses them; their words are found all the same. No grammar is asked, since a passage may
be of any kind: what looks like such markup counts as that, in a text and in a phrase alike.
"""

import re

_LONGEST = 1_000
"""Characters in which an end is looked for, so that no text takes long."""
_TAGS = (
    "a abbr b bdi bdo big br cite code del dfn div em font hr i img ins kbd li mark nobr ol p pre q"
    " s samp small span strike strong sub sup table tbody td th thead tr tt u ul var wbr"
).replace(" ", "|")
_TARGET = rf"(?:[^()\\\n]|\\.|\([^()\n]{{0,{_LONGEST}}}\)){{0,{_LONGEST}}}+"
_INSIDE_TAG = rf"""(?:[^<>"']|"[^"]{{0,{_LONGEST}}}"|'[^']{{0,{_LONGEST}}}'){{0,{_LONGEST}}}+"""
# Each begins with a literal sign: those are looked for at many times the speed of the rest.
_MARKUP = re.compile(
    rf"""\]\({_TARGET}\)                                       # target of [text](target "title")
      | (?P<text>\[(?<![\]\w]\[)(?=[^\[\]]{{0,99}}[^\W\d_])[^\[\]\n]{{1,{_LONGEST}}}\])
        \[[^\[\]\n]{{0,999}}\](?!\[)                           # label of [text][label]
      | \[\^[^\[\]\s]{{1,999}}\]                               # [^footnote]
      | <[A-Za-z][A-Za-z0-9+.\-]{{1,31}}:[^\s<>]{{0,{_LONGEST}}}>  # <https://address>
      | <[\w.+\-]{{1,64}}@[\w.\-]{{1,255}}>                    # <mail@address>
      | <[A-Za-z][\w:\-]{{0,99}}\s+[\w:@.\-]{{1,99}}\s*={_INSIDE_TAG}>   # <tag attribute=...>
      | </?(?:{_TAGS}|[a-z]{{1,32}}-[\w\-]{{1,99}})\s{{0,99}}/?>         # <br>, <emu-val>
      | </[A-Za-z][\w:\-]{{0,99}}\s{{0,99}}>                   # </tag>
      | <!--.{{0,{_LONGEST}}}?-->
      | &(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|nbsp|amp|lt|gt|quot|apos|shy|ensp|emsp|thinsp
          |ndash|mdash|hellip);""",
    re.VERBOSE | re.DOTALL,
)

_SIGNS = ("](", "][", "[^", "<", "&")
"""One of them is in all such markup."""


def parted(text: str) -> tuple[str, list[str]]:
    """`text` with a space in place of each such markup, and the pieces that were taken out."""
    if not any(sign in text for sign in _SIGNS):
        return text, []
    taken: list[str] = []

    def take(found: re.Match[str]) -> str:
        kept = found["text"] or ""
        taken.append(found[0][len(kept) :])
        return f"{kept} "

    return _MARKUP.sub(take, text), taken
