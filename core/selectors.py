"""Checks CSS selectors that a user gave."""

from collections.abc import Iterable

from .errors import SettingsError


def check_selectors(name: str, selectors: Iterable[str]) -> None:
    """Refuse a CSS selector that does not parse; SettingsError names the setting."""
    for selector in selectors:
        import soupsieve

        try:
            soupsieve.compile(selector)
        # Of pseudo-elements, which no element is, it says that they are not implemented.
        except (soupsieve.SelectorSyntaxError, NotImplementedError) as error:
            reason = str(error).splitlines()[0]
            raise SettingsError(f"{name}: {selector!r} is not a CSS selector: {reason}") from None
