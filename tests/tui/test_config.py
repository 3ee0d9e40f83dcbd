"""The tables [screen] and [keys]: two files, what they may say, and what they then do."""

from pathlib import Path

import pytest
from chunkscope.core.errors import SettingsError
from chunkscope.core.settings import Settings, load_settings
from chunkscope.core.sources import Found
from chunkscope.tui.app import KEY_GROUPS, ChunkscopeApp, bindings_of, places
from chunkscope.tui.config import Keys, ScreenConfig, check_keys, load_config, user_file
from chunkscope.tui.keys import is_typed, key_named, shown
from chunkscope.tui.screens.browse import BrowseScreen

from .conftest import AppMaker, browse, rows, settle


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and no file of the user's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def app_with(config: ScreenConfig) -> ChunkscopeApp:
    return ChunkscopeApp(Found(()), Settings(), Path("/nowhere"), config=config)


def with_config(make_app: AppMaker, config: ScreenConfig) -> ChunkscopeApp:
    app = app_with(config)
    app.workspace = make_app().workspace
    return app


# The files


def test_nothing_is_set_where_there_is_no_file(here: Path) -> None:
    assert load_config() == ScreenConfig()


def test_the_file_here_wins_over_the_users_own_setting_by_setting(here: Path) -> None:
    write(user_file(), '[screen]\ntheme = "light"\nascii = true\n[keys]\n"app.quit" = "Q"\n')
    write(here / "chunkscope.toml", 'chunk_size = 500\n[screen]\ntheme = "dark"\n')
    config = load_config()
    assert (config.theme, config.ascii) == ("dark", True)
    assert config.keymap == {"app.quit": "Q"}
    assert load_settings(here / "chunkscope.toml").chunk_size == 500


def test_the_command_line_wins_over_both(here: Path) -> None:
    write(here / "chunkscope.toml", '[screen]\ntheme = "dark"\n')
    config = load_config(theme="terminal", ascii_only=True)
    assert (config.theme, config.ascii, config.theme_from) == ("terminal", True, "--theme")


def test_another_file_can_be_named(here: Path) -> None:
    write(here / "chunkscope.toml", '[screen]\ntheme = "dark"\n')
    assert load_config(str(write(here / "x.toml", "[screen]\ntree_width = 40\n"))) == ScreenConfig(
        tree_width=40
    )
    with pytest.raises(SettingsError, match=r"y\.toml: cannot be read"):
        load_config(str(here / "y.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[screen]\n\nthem = "dark"', ":3: no setting of [screen] is named 'them'; did you mean"),
        ("[screen]\nascii = 1", ":2: ascii must be true or false, not 1"),
        ('[screen]\nwrap = "no"', ":2: wrap must be true or false, not 'no'"),
        ("[screen]\ntree_width = 3", ":2: tree_width must be a number from 12 to 120, not 3"),
        ("[screen]\ntree_width = true", ":2: tree_width must be a number from 12 to 120, not True"),
        ("screen.theme = 4", ":1: theme must be a name in quotes, not 4"),
        ('[screen]\neditor = "vi"', ":2: editor must say where {file} goes"),
        ("[screen]\neditor = 'vi \"{file}'", ":2: editor has a quote that does not end"),
        ('screen = "dark"', ":1: screen must be a table"),
        ("keys = 3", ":1: keys must be a table"),
        ('[keys]\napp.quit = "ctrl+"', ":2: app.quit: there is no key 'ctrl+'"),
        ('[keys]\n# quit\n"app.quit" = "pagedwn"', ":3: app.quit: there is no key 'pagedwn'"),
        ("[keys]\napp.quit = 3", ":2: app.quit must be a key in quotes, or a list of keys"),
        ("[keys]\napp.quit = []", ":2: app.quit must be a key in quotes, or a list of keys"),
        ("[screen", ": not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(here: Path, text: str, said: str) -> None:
    path = write(here / "chunkscope.toml", text + "\n")
    with pytest.raises(SettingsError) as caught:
        load_config()
    assert str(caught.value).startswith(f"{path.name}{said}")


def test_the_users_own_file_says_nothing_of_splitters(here: Path) -> None:
    path = write(user_file(), "[screen]\nascii = true\n\n[conversion]\n")
    with pytest.raises(SettingsError, match=r"chunkscope\.toml:4: 'conversion' is not for this"):
        load_config()
    write(path, "chunk_size = 4\n")
    with pytest.raises(SettingsError, match=r"chunkscope\.toml:1: 'chunk_size' is not for this"):
        load_config()


def test_settings_of_splitters_still_refuse_what_they_do_not_know(here: Path) -> None:
    path = write(here / "chunkscope.toml", "[scren]\nascii = true\n")
    with pytest.raises(SettingsError, match="unknown setting 'scren'"):
        load_settings(path)


def test_an_unknown_theme_is_said_with_those_there_are(here: Path) -> None:
    write(here / "chunkscope.toml", '[screen]\ntheme = "drak"\n')
    with pytest.raises(SettingsError, match=r"chunkscope\.toml:2: no theme is named 'drak'.*dark"):
        app_with(load_config())
    with pytest.raises(SettingsError, match=r"^--theme: no theme is named 'x'"):
        app_with(load_config(theme="x"))


# Keys


@pytest.mark.parametrize(
    ("written", "name", "sign"),
    [
        ("?", "question_mark", "?"),
        ("G", "G", "G"),
        ("^g", "ctrl+g", "^g"),
        ("Ctrl+G", "ctrl+G", "^G"),
        ("PgDn", "pagedown", "PgDn"),
        ("esc", "escape", "esc"),
        ("shift+g", "G", "G"),
        ("alt+left", "alt+left", "alt+←"),
        ("ctrl+down", "ctrl+down", "^↓"),
        (" ", "space", "␣"),
        (",", "comma", ","),
        ("+", "plus", "plus"),
        ("f12", "f12", "f12"),
        ("ctrl+ctrl+x", None, ""),
        ("meta+x", None, ""),
        ("shift+1", None, ""),
        ("nothing", None, ""),
    ],
)
def test_a_key_is_known_by_what_users_write(written: str, name: str | None, sign: str) -> None:
    assert key_named(written) == name
    if name is not None:
        assert shown(name) == sign


def test_every_key_of_the_program_is_one_a_user_can_write() -> None:
    written = [
        key for group in KEY_GROUPS for each in group.bindings for key in each.key.split(",")
    ]
    assert [key for key in written if key_named(key) != key] == []


def test_ids_are_there_and_mean_one_thing() -> None:
    ids = [each.id for group in KEY_GROUPS for each in group.bindings]
    assert None not in ids
    assert len(ids) == len(set(ids))


def test_an_id_that_is_not_there_names_the_nearest() -> None:
    with pytest.raises(SettingsError) as caught:
        check_keys({"app.qiut": Keys(("Q",), "x.toml:2")}, places())
    assert str(caught.value).startswith(
        "x.toml:2: no key is named 'app.qiut'; did you mean app.quit"
    )


@pytest.mark.parametrize(
    ("id", "key", "other"),
    [
        ("app.quit", "j", "text.down"),  # everywhere and in the text
        ("text.whole", "n", "hit.next"),  # in the text and on the screen
        ("tree.toggle", "enter", "list.open"),  # in one pane
        ("copy.id", "c", "copy.citation"),  # in the menu
    ],
)
def test_a_key_is_not_given_twice_in_one_place(id: str, key: str, other: str) -> None:
    with pytest.raises(SettingsError, match=rf"x:1: {id} and {other} would both have the key"):
        check_keys({id: Keys((key,), "x:1")}, places())


@pytest.mark.parametrize("page", ["README.md", "tui/tour/take-along.md"])
def test_the_settings_that_are_shown_can_be_used(here: Path, page: str) -> None:
    root = Path(__file__).parents[2]
    blocks = (root / page).read_text("utf-8").split("```toml\n")[1:]
    shown_ = [block.split("```")[0] for block in blocks if "[keys]" in block]
    assert shown_
    for block in shown_:
        write(here / "chunkscope.toml", block)
        config = load_config()
        assert config.keymap
        check_keys(config.keys, places())


def test_a_key_can_be_taken_from_one_that_gets_another() -> None:
    check_keys({"app.quit": Keys(("j",), "x:1"), "text.down": Keys(("J",), "x:2"),
                "list.down": Keys(("J",), "x:3"), "facts.down": Keys(("J",), "x:4")},
               places())  # fmt: skip
    # Panes that are never asked together do not get in each other's way.
    check_keys({"tree.toggle": Keys(("x",), "x:1"), "text.whole": Keys(("x",), "x:2")}, places())


async def test_keys_do_what_the_user_says_and_are_shown_so(make_app: AppMaker) -> None:
    config = ScreenConfig(
        keys={"search.open": Keys(("f2",), "x:1"), "chunk.previous": Keys(("ctrl+k", "x"), "x:2")}
    )
    app = with_config(make_app, config)
    async with app.run_test(size=(120, 30)) as pilot:
        screen = await browse(pilot)
        bar = rows(screen, "#keys")[0]
        assert "f2 Search" in bar and "^k Chunk" in bar and "[ ]" not in bar
        await pilot.press("slash")
        await settle(pilot)
        assert not screen.searching
        await pilot.press("f2")
        await settle(pilot)
        assert screen.searching
        await pilot.press("escape")
        commands = {each.title: each.help for each in app.get_system_commands(screen)}
        assert commands["Previous chunk, on the page of its section"] == "^k  x"
        app.action_help()
        await settle(pilot)
        text = "\n".join(line.plain for line in app.screen._lines)  # type: ignore[attr-defined]
        assert "  f2                Search all documents" in text
        assert "  ^k  x             Previous chunk" in text


async def test_the_tree_is_as_wide_as_the_setting_says_where_there_is_room(
    make_app: AppMaker,
) -> None:
    for width, cells in ((140, 50), (200, 50), (80, 24)):
        app = with_config(make_app, ScreenConfig(tree_width=50))
        async with app.run_test(size=(width, 30)) as pilot:
            screen = await browse(pilot)
            assert screen.query_one("#tree-pane").outer_size.width == cells


def test_a_key_that_is_typed_into_the_box_is_none_for_the_search(here: Path) -> None:
    for key in ("x", " ", "?"):
        write(here / "chunkscope.toml", f'[keys]\n"search.mode" = "{key}"\n')
        with pytest.raises(SettingsError, match=r"toml:2: search\.mode cannot have the key"):
            app_with(load_config())
    write(here / "chunkscope.toml", '[keys]\n"search.mode" = ["ctrl+y", "f2", "alt+m"]\n')
    app_with(load_config())


# Help and palette


async def test_help_and_palette_have_every_binding_there_is(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        kinds = {kind for node in [app, screen, *screen.query()] for kind in type(node).__mro__}
        ours = [kind for kind in kinds if kind.__module__.startswith("chunkscope.")]
        declared = [each for kind in ours for each in bindings_of(kind)]
        assert len(declared) > 50
        listed = {each.id for group in KEY_GROUPS for each in group.bindings}
        assert {each.id for each in declared} - listed == set()
        assert [each.id for each in declared if not each.tooltip] == []
        offered = {each.help for each in app.get_system_commands(screen)}
        alone = [each.id for group in KEY_GROUPS if not group.in_palette for each in group.bindings]
        missing = [each.id for each in declared if app.keys_of(each) not in offered]
        assert set(missing) - set(alone) == {"app.palette"}
        titles = [each.title for each in app.get_system_commands(screen)]
        assert len(titles) == len(set(titles))


async def test_the_palette_acts_in_the_pane_that_an_action_is_of(make_app: AppMaker) -> None:
    app = make_app()
    async with app.run_test(size=(140, 42)) as pilot:
        screen = await browse(pilot)
        run = {each.title: each.callback for each in app.get_system_commands(screen)}

        async def do(title: str) -> None:
            run[title]()
            await settle(pilot)

        await do("Section tree: last entry")
        assert screen.sections.has_focus
        assert screen.sections.cursor == len(screen.sections.nodes) - 1
        await do("Search: search by keyword and meaning, by keyword, or by meaning")
        assert screen.searching and screen.search.mode == "keyword"
        await do("Text: last line of the page")
        assert not screen.searching and screen.text.has_focus
        assert screen.text.page is not None
        assert screen.text.cursor == len(screen.text.page) - 1
        assert isinstance(screen, BrowseScreen)


@pytest.mark.parametrize("character", [chr(code) for code in range(32, 127)])
def test_every_sign_of_ascii_is_one_that_is_typed(character: str) -> None:
    assert is_typed(key_named(character) or "")


# The file of gold questions


def test_the_file_of_gold_questions_is_named_from_where_the_settings_are(here: Path) -> None:
    write(here / "chunkscope.toml", 'gold = "asked/gold.yaml"\nchunk_size = 500\n')
    assert load_config().gold == "asked/gold.yaml"
    assert load_settings(here / "chunkscope.toml") == Settings(chunk_size=500)
    other = write(here / "elsewhere" / "other.toml", 'gold = "gold.jsonl"\n')
    assert load_config(str(other)).gold == str(other.parent / "gold.jsonl")
    assert load_config(str(other), gold="given.yaml").gold == "given.yaml"
    absolute = here / "absolute.yaml"
    write(here / "chunkscope.toml", f'gold = "{absolute}"\n')
    assert load_config().gold == str(absolute)


@pytest.mark.parametrize("value", ["7", '""', "[]"])
def test_a_file_of_gold_questions_that_is_no_path_is_refused(here: Path, value: str) -> None:
    write(here / "chunkscope.toml", f"\ngold = {value}\n")
    with pytest.raises(SettingsError, match=r"chunkscope\.toml:2: gold must be a path"):
        load_config()


def test_the_users_own_file_names_no_gold_questions(here: Path) -> None:
    write(user_file(), 'gold = "gold.yaml"\n')
    with pytest.raises(SettingsError, match="'gold' is not for this file"):
        load_config()
