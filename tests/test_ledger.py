"""Every element of HTML: what is visible comes out once, what is not is dropped by a named rule."""

import json
from pathlib import Path

import pytest
from chunkscope.core.html.convert import html_document
from chunkscope.core.html.elements import DROPPED
from chunkscope.core.html.ledger import Ledger, ledger_of
from chunkscope.tui.cli import main
from hypothesis import given
from hypothesis import strategies as st


def markdown(html: str) -> str:
    return html_document("page.html", html).text


def dropped(html: str) -> dict[str, int]:
    """Letters and digits by the rule that dropped them, rules without any left out."""
    return {each.rule: each.characters for each in ledger_of(html).dropped if each.characters}


# Elements that may hold text anywhere and show it: the HTML Standard's, its obsolete ones, some
# of MathML, SVG and ecmarkup, and one that nobody knows.
SHOWN = """
    a abbr acronym address applet article aside b bdi bdo big blink blockquote button center cite
    code data dd del details dfn dir div dl dt em fieldset figcaption figure font footer form h1
    h2 h3 h4 h5 h6 header hgroup i ins kbd label legend li listing main map mark marquee menu meter
    multicol nobr object ol optgroup option output p picture pre progress q rb rt rtc ruby s samp
    search section select slot small span strike strong sub summary sup table tbody td textarea
    tfoot th thead time tr tt u ul var xmp caption
    math mi mn mo ms mtext mrow mfrac msup semantics svg text desc foreignobject
    emu-clause emu-note emu-alg emu-eqn emu-grammar emu-val emu-xref x-unknown
""".split()

# Elements that hold nothing in HTML: what follows them is what counts.
VOID = """
    area base basefont bgsound br col embed frame hr img input link meta param source track wbr
    image keygen
""".split()

# Elements whose content is a string to a parser.
RAW = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(
    "around", ["{}", "<p>{}</p>", "<ul><li>{}</ul>", "<table><tr><td>{}</table>", "<pre>{}</pre>"]
)
def test_a_shown_element_comes_out_once(name: str, around: str) -> None:
    html = "<main>" + around.format(f"before <{name}>canary</{name}> after") + "</main>"
    text = markdown(html)
    assert text.count("canary") == 1 and "before" in text and "after" in text
    assert ledger_of(html) == Ledger(len("beforecanaryafter"))


@pytest.mark.parametrize("name", VOID)
def test_a_void_element_takes_nothing_with_it(name: str) -> None:
    for attributes in ("", " hidden"):  # of the element, not of what follows it
        html = f"<main>before <{name}{attributes}>canary</main>"
        assert markdown(html).count("canary") == 1
        assert ledger_of(html).kept == len("beforecanary")


@pytest.mark.parametrize("name", sorted(set(DROPPED) - set(VOID)))
def test_a_dropped_element_is_dropped_by_its_rule(name: str) -> None:
    html = f"<main>before <{name}>canary</{name}> after</main>"
    assert "canary" not in markdown(html)
    assert dropped(html) == {DROPPED[name]: 6}
    assert ledger_of(html).kept == len("beforeafter")


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ("<p hidden>canary</p>", "hidden"),
        ("<div hidden><p>can</p><b>ary</b></div>", "hidden"),
        ("<div popover>canary</div>", "popover"),
        ("<dialog>canary</dialog>", "closed-dialog"),
        ("<ruby>a<rp>canary</rp></ruby>", "ruby-parenthesis"),
        ("<!--canary-->", "comment"),
        ("<math><semantics><mi>a</mi><annotation>canary</annotation></semantics></math>",
         "math-annotation"),
        ("<div hidden><script>canary</script></div>", "hidden"),
    ],
)  # fmt: skip
def test_what_is_not_visible_is_dropped_by_name(html: str, rule: str) -> None:
    page = f"<main><p>before</p>{html}</main>"
    assert "canary" not in markdown(page) and "can" not in markdown(page)
    assert dropped(page) == {rule: 6}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<dialog open>canary</dialog>", "canary"),
        ("<p hidden=until-found>canary</p>", "canary"),
        ("<details><summary>S</summary>canary</details>", "**S**\n\ncanary"),
        ("<svg><title>canary</title></svg>", "canary"),
        ("<img alt=canary>", "canary"),
        ("<img alt=canary src=x.png>", "![canary](x.png)"),
        ("<code><img alt=canary src=x.png></code>", "`canary`"),
        ("<emu-eqn class=inline><img alt=canary src=x.png></emu-eqn>", "`canary`"),
        ("<emu-grammar>A : <img alt=canary></emu-grammar>", "```bnf\nA : canary\n```"),
        ("<input type=submit value=canary>", "canary"),
        ("<input type=image alt=canary>", "canary"),
        ("<input placeholder=canary>", "canary"),
        ("<input value=canary placeholder=other>", "canary"),
        ("<input type=hidden value=canary>x", "x"),
        ("<input type=password value=canary>x", "x"),
        ("<input value='1. canary'>", "1\\. canary"),
        ("<table><tr><td>a<td><input value='x|canary'></table>",
         "|  |  |\n| --- | --- |\n| a | x\\|canary |"),
        ("<textarea placeholder=canary></textarea>", "canary"),
        ("<select><optgroup label=canary><option>a<option label=b></option></select>",
         "canary\na\nb"),
        ("<select><option label=canary>other</option></select>", "canary"),
        ("<select><option label=''>canary</option></select>", "canary"),
        ("<svg><image>canary</image></svg>", "canary"),
        ("<p>x<image alt=canary>", "xcanary"),
        ("<svg><text><![CDATA[can</ary]]></text></svg>", "can\\</ary"),
        ("<p>x</br>canary</p>", "x  \ncanary"),
        ("<p>x\ud800canary</p>", "x\ufffdcanary"),
        ("<p>a<button>canary</button>b</p>", "a canary b"),
        ("<plaintext>canary<p>", "```\ncanary<p>\n```"),
        ("<object data=x><p>canary</p></object>", "canary"),
    ],
)  # fmt: skip
def test_what_stands_in_attributes_and_exceptions(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_text_outside_the_content_is_in_the_ledger() -> None:
    html = (
        "<title>Title</title><nav>menu</nav><div>top<script>code</script>"
        "<main>kept<nav>toc</nav></main>end</div><footer><p>foot</p></footer>"
    )
    assert ledger_of(html).kept == 4
    assert dropped(html) == {
        "head": 5, "nav": 7, "outside-content": 10, "script": 4
    }  # fmt: skip


@pytest.mark.parametrize("name", ["section", "header", "aside", "button", "emu-note", "x-unknown"])
def test_a_page_without_head_and_body_tags_loses_nothing(name: str) -> None:
    html = f"<title>T</title><{name}>canary</{name}><p>after"
    assert markdown(html) == "canary\n\nafter"
    assert dropped(html) == {"head": 1}


def test_content_inside_a_dropped_element_is_kept() -> None:
    html = "<nav>menu<main>kept</main></nav>"
    assert markdown(html) == "kept"
    assert ledger_of(html).kept == 4
    assert dropped(html) == {"nav": 4}


# --- generated pages ------------------------------------------------------------------------

_NESTING = [n for n in [*SHOWN, *DROPPED] if n not in (*RAW, *VOID, "main")]


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, int]:
    """Nested HTML of all elements, every text in it and every attribute shown `cana<n>ry`."""
    count = 0

    def canary() -> str:
        nonlocal count
        count += 1
        return f"cana{count - 1}ry"

    def node(depth: int) -> str:
        pick = draw(st.integers(0, 9))
        if depth == 0 or pick < 2:
            return draw(st.sampled_from(["{}", " {} ", "{}\n", "# {}\n", "|{}|", "- {}"])).format(
                canary()
            )
        if pick == 2:
            return draw(
                st.sampled_from(
                    ["<img alt={}>", "<img src=x alt={}>", "<input value={}>", "<hr>{}", "<br>{}",
                     "<input placeholder={}>", "<p hidden>{}</p>", "<!--{}-->", "{}<col>"]
                )
            ).format(canary())  # fmt: skip
        if pick == 3:
            name = draw(st.sampled_from(RAW))
            return f"<{name}>{canary()}</{name}>"
        name = draw(st.sampled_from(_NESTING))
        inside = "".join(node(depth - 1) for _ in range(draw(st.integers(0, 3))))
        given = draw(st.sampled_from(["", "", " href=u", " open", " start=7", " class=note"]))
        return f"<{name}{given}>{inside}</{name}>"

    html = "".join(node(5) for _ in range(draw(st.integers(1, 3))))
    return f"<main>{html}</main>", count


@given(pages())
def test_all_text_is_kept_once_or_dropped_by_name(page: tuple[str, int]) -> None:
    html, count = page
    text = markdown(html)
    canaries = [f"cana{number}ry" for number in range(count)]
    found = [text.count(canary) for canary in canaries]
    assert set(found) <= {0, 1}, text
    lost = sum(len(canary) for canary, times in zip(canaries, found, strict=True) if not times)
    ledger = ledger_of(html)
    assert ledger.kept == sum(map(len, canaries)) - lost, (text, ledger)
    assert ledger.total - ledger.kept == lost


# --- the command ----------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<main>kept<script>code</script></main>")
    return path


def test_the_ledger_is_printed_as_a_table(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(page), "--ledger"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["text", "elements", "letters", "and", "digits", "share"],
        ["kept", "4", "50.00%"],
        ["dropped:", "script", "1", "4", "50.00%"],
        ["total", "8", "100.00%"],
    ]


def test_the_ledger_as_json(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(page), "--ledger", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "document": "page.html",
        "unit": "letters and digits",
        "total": 8,
        "kept": 4,
        "dropped": [{"rule": "script", "elements": 1, "characters": 4}],
    }


def test_of_a_text_file_everything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("two words\n")
    assert main(["convert", str(path), "--ledger", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == 8
