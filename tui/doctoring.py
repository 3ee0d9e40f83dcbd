"""What `chunkscope doctor` prints: faults in chunks, each with its fix, and the score."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..core.errors import SettingsError
from ..core.settings import Settings
from .access import say
from .evaluating import documents_of
from .explain import named_lines
from .printing import plain, print_json
from .status import counted

if TYPE_CHECKING:
    from ..core.evaluation.doctor import Progress
    from ..core.evaluation.doctor_findings import Diagnosis, Finding, FindingKind, Part


def doctor(options: argparse.Namespace, settings: Settings) -> int:
    """Print what is wrong with the chunks; 1 if the score is under what was asked for."""
    from ..core.evaluation.doctor import examine
    from ..core.evaluation.doctor_findings import KINDS

    named: Sequence[FindingKind] = options.only or KINDS
    kinds: list[FindingKind] = [kind for kind in named if kind not in options.ignore]
    if not kinds:
        raise SettingsError("--only and --ignore leave no kind of fault to look for")
    if options.limit < 0:
        raise SettingsError(f"limit must be at least 0, not {options.limit}")
    with _bar() as show:
        documents = documents_of(options, settings, show)
        found = examine(
            list(documents.values()), settings, kinds, model=options.model, progress=show
        )
    for note in found.notes:
        say(note)
    if options.json:
        print_json(record_of(found))
    else:
        for line in lines_of(found, options.limit):
            print(plain(line))
    if not found.chunks:
        say("no chunks")
        return 1
    if options.fail_under is not None and found.score < options.fail_under:
        say(f"the score {found.score:.1f} is under {options.fail_under:g}")
        return 1
    return 0


def lines_of(found: "Diagnosis", limit: int) -> Iterator[str]:
    """The findings by kind, at most `limit` of each, and the score with its parts."""
    from ..core.evaluation.doctor_findings import MEANINGS

    for part in found.parts:
        findings = found.of_kind(part.kind)
        if not findings:
            continue
        yield f"{part.kind}: {MEANINGS[part.kind]}"
        for finding in findings[:limit]:
            yield f"  {place_of(finding)}"
            yield f"    {' '.join(finding.reason.split())}"
            yield f"    fix: {finding.fix}"
        if len(findings) > limit:
            yield f"  … and {len(findings) - limit:,} more" if limit else f"  {len(findings):,}"
            ((fix, count),) = Counter(finding.fix for finding in findings).most_common(1)
            if count > 1:
                yield f"  {count:,} of all {len(findings):,}: {fix}"
        yield ""
    pages = f" and {counted(found.pages, 'page')}" if found.pages else ""
    yield (
        f"score {found.score:.1f} of 100: {counted(found.chunks, 'chunk')}{pages} of "
        f"{counted(found.documents, 'document')}"
    )
    for part in found.parts:
        if part.findings:
            yield f"  {arithmetic(part)}"


def arithmetic(part: "Part") -> str:
    """What a kind takes from the score, and how that comes about."""
    share = part.weight * part.chunks / part.of
    capped = f", at most {part.most}" if share > part.most else ""
    return (
        f"−{part.points:4.1f}  {part.kind:13}  {part.weight} × {part.chunks:,} / {part.of:,} "
        f"= {share:.2f}{capped}"
    )


def record_of(found: "Diagnosis") -> dict[str, Any]:
    """The findings and the score as plain values."""
    return {
        "score": found.score,
        "documents": found.documents,
        "chunks": found.chunks,
        "pages": found.pages,
        "notes": list(found.notes),
        "parts": [
            {
                "kind": part.kind,
                "points": part.points,
                "findings": part.findings,
                "chunks": part.chunks,
                "of": part.of,
                "weight": part.weight,
                "most": part.most,
            }
            for part in found.parts
        ],
        "findings": [asdict(finding) for finding in found.findings],
    }


def place_of(finding: "Finding") -> str:
    """Where a finding is: the id of its chunk, how many others, and the lines."""
    lines = named_lines(finding.first_line, finding.last_line)
    others = len(finding.chunks) - 1
    return f"{finding.chunks[0]}{f' and {others:,} more' if others else ''}  {lines}"


@contextmanager
def _bar() -> "Iterator[Progress]":
    """Shows the stages when standard error is a terminal; silent elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        at = ""

        def show(stage: str, done: int, total: int) -> None:
            nonlocal at, task
            if stage != at:
                at = stage
                bar.remove_task(task)
                task = bar.add_task(stage, total=total or None)
            bar.update(task, completed=done)

        yield show
