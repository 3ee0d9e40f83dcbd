"""How documents and chunks lie in the record: compressed columns, JSON, and text of any kind."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields

from .model import Blocks, Boundary, Chunk

# Level 1: half a megabyte a millisecond, and text still shrinks to a third.
_COMPRESSION = 1
_CHUNK = [field.name for field in fields(Chunk)]
_BOUNDARY = [field.name for field in fields(Boundary)]


def pack_text(text: str) -> bytes:
    """A document's text, compressed; lone surrogates are kept."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), _COMPRESSION)


def unpack_text(data: bytes) -> str:
    """What `pack_text` packed."""
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


def checksum(values: object, *large: bytes) -> int:
    """CRC-32 of what SQLite gives: texts, bytes, whole numbers, None, and tuples and lists of them.

    `large` are bytes beside them. The same in every version of Python.
    """
    found = zlib.crc32(ascii(values).encode("ascii"))
    for each in large:
        found = zlib.crc32(each, found)
    return found


def pack_blocks(blocks: Blocks) -> bytes:
    """The columns of the block structure, compressed."""
    head = json.dumps({"tag": blocks.tag, "attributes": blocks.attributes}, separators=(",", ":"))
    numbers = b"".join(column.tobytes() for column in (blocks.start, blocks.end, blocks.parent))
    return zlib.compress(numbers + head.encode("ascii"), _COMPRESSION) + len(blocks).to_bytes(
        4, "little"
    )


def unpack_blocks(data: bytes) -> Blocks:
    """What `pack_blocks` packed."""
    count = int.from_bytes(data[-4:], "little")
    plain = zlib.decompress(data[:-4])
    blocks = Blocks()
    for at, column in enumerate((blocks.start, blocks.end, blocks.parent)):
        column.frombytes(plain[at * 4 * count : (at + 1) * 4 * count])
    head = json.loads(plain[12 * count :])
    blocks.tag = head["tag"]
    blocks.attributes = head["attributes"]
    return blocks


def pack_anchors(anchors: Mapping[str, int]) -> bytes:
    """Where the anchors of a document lead, compressed."""
    plain = json.dumps(dict(anchors), separators=(",", ":"))
    return zlib.compress(plain.encode("ascii"), _COMPRESSION)


def unpack_anchors(data: bytes) -> dict[str, int]:
    """What `pack_anchors` packed; none for a document recorded before there were any."""
    return json.loads(zlib.decompress(data)) if data else {}


def pack_chunk(chunk: Chunk) -> str:
    """A chunk as JSON."""
    # `asdict` would copy each value, which takes three times as long as all the rest.
    values = {name: getattr(chunk, name) for name in _CHUNK}
    values["boundary"] = {name: getattr(chunk.boundary, name) for name in _BOUNDARY}
    return json.dumps(values, separators=(",", ":"))


def unpack_chunk(data: str) -> Chunk:
    """What `pack_chunk` packed."""
    values = json.loads(data)
    values["boundary"] = Boundary(**values["boundary"])
    for name in ("markers_before", "markers", "warnings"):
        values[name] = tuple(values[name])
    return Chunk(**values)


def sql_value(text: str) -> str | bytes:
    """`text` as SQLite takes it."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def text_of(value: str | bytes) -> str:
    """The text that `sql_value` made this of."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")
