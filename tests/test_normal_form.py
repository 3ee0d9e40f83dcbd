"""Text that looks the same has one form."""

import pytest
from chunkscope.core.normal_form import normal_form, normal_form_with_offsets
from hypothesis import example, given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain ASCII", "plain ASCII"),
        ("Zu\u0308rich", "Zürich"),
        ("hyper\u00adactive", "hyperactive"),
        ("ze\u200bro\u200d wid\u2060th\ufeff", "zero width"),
        ("Ｆｕｌｌ", "Full"),
        ("ﬁle", "file"),
        ("ｶﾞ", "ガ"),
        ("\u1112\u1161\u11ab", "한"),
        ("note¹ m² Name™", "note  m  Name "),
        ("“–” …", "“–” ..."),
    ],
)
def test_a_text_has_one_form(text: str, expected: str):
    assert normal_form(text) == expected
    assert normal_form_with_offsets(text)[0] == expected


@example("\u0344\u0301")
@given(st.text(max_size=60))
def test_a_form_is_its_own_form(text: str):
    assert normal_form(normal_form(text)) == normal_form(text)


@given(st.text(st.sampled_from("aZ u\u0308\u00adＦ\u200dﬁ.¹ガ"), max_size=40))
def test_each_character_has_the_place_it_comes_from(text: str):
    form, offsets = normal_form_with_offsets(text)
    assert form == normal_form(text)
    assert len(offsets) == len(form) + 1
    assert offsets == sorted(offsets)
    for at, character in enumerate(form):
        following = next(place for place in offsets[at:] if place > offsets[at])
        assert character in normal_form(text[offsets[at] : following])
