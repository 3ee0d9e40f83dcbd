"""Which HTML elements are blocks, which are code, which are dropped and by what rule."""

CLAUSES = frozenset({"emu-clause", "emu-annex", "emu-intro"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

# Parts of a table that hold others, and all that has its place there; the rest of what stands in a
# table, but in no cell, a browser shows before it.
TABLE_PARTS = frozenset({"thead", "tbody", "tfoot", "tr"})
IN_TABLES = TABLE_PARTS | {"td", "th", "caption", "colgroup", "col", "script", "style", "template"}

# HTML elements that end a formula or drawing around them. Source: HTML Living Standard, "the
# rules for parsing tokens in foreign content" (`font` depends on its attributes).
ENDS_FOREIGN = frozenset(
    """
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
    listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var
    """.split()
)

# Elements that start and end a line in a browser (display: block, list-item and table parts).
BLOCKS = (
    frozenset(
        """
        address article aside blockquote body caption center dd details dialog dir div dl dt
        fieldset figcaption figure footer form frameset header hgroup hr html legend li listing
        main menu nav ol optgroup option p plaintext pre search section summary table tbody td
        tfoot th thead tr ul xmp emu-note emu-example emu-table emu-figure emu-alg emu-biblio
        emu-see-also-para
        """.split()
    )
    | HEADINGS
    | CLAUSES
)

# Blocks that are their text and nothing else, though markdownify has rules for them. Parts of a
# table come here when it only lays out the page, or is not there.
PLAIN = frozenset(
    """
    article caption dd div dl figcaption p section table tbody td tfoot th thead tr
    """.split()
)

# Blocks that hold a line of prose: what stands in them stands in a sentence.
SENTENCES = HEADINGS | {"p", "li", "td", "th", "dt", "dd", "caption", "figcaption", "summary"}

# Inline elements that become code spans.
CODE = frozenset({"code", "kbd", "samp", "tt", "var", "emu-val", "emu-const"})

LISTS = frozenset({"ul", "ol", "menu", "dir"})

# Elements whose white space is kept as it stands.
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})

# Elements whose rule renders them from the tree; nothing below them is walked.
LEAVES = frozenset({"emu-grammar"})

# Blocks that end as their text with a gap around it: nothing looks into what stands in them.
SEE_THROUGH = (
    BLOCKS - HEADINGS - LISTS - PREFORMATTED - {"blockquote", "dt", "hr", "li", "summary"}
) | {"select"}

# Elements of which that is true inside a cell, where everything is to be on one line.
SEE_THROUGH_IN_CELLS = (
    SEE_THROUGH
    | HEADINGS
    | LISTS
    | {"b", "blockquote", "del", "em", "font", "i", "ins", "li", "s", "small", "span", "strike"}
    | {"strong", "u"}
)

# Inline elements with a rule that looks at no more than the ends of their text, and for spaces and
# line ends in it.
SEE_THROUGH_INLINE = frozenset("b strong em i del s strike q span sup sub rt".split())

# What a reader of the page does not see, or sees on every page: dropped, by the rule named. What
# an `object` holds is kept: it is there for a reader who cannot be shown the object.
DROPPED = {
    "script": "script",
    "style": "style",
    "template": "template",
    "noscript": "noscript",
    "nav": "nav",
    "title": "head",
    "meta": "head",
    "link": "head",
    "base": "head",
    "rp": "ruby-parenthesis",
    "datalist": "datalist",
    "annotation": "math-annotation",
    "annotation-xml": "math-annotation",
    "iframe": "embedded",
    "canvas": "embedded",
    "audio": "embedded",
    "video": "embedded",
    "noembed": "embedded",
    "noframes": "noframes",
    "dialog": "closed-dialog",
}

# Headings inside these open no section: they belong to the cell, item, quotation or heading.
NO_SECTION_INSIDE = HEADINGS | {"td", "th", "caption", "li", "blockquote", "details", "nav", "a"}
