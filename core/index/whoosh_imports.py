"""Everything the project takes from Whoosh, in one place.

Another distribution with the same interface can be put in by changing this file alone.
Importing it costs about a quarter of a second: import it inside functions.
"""

import warnings

with warnings.catch_warnings():
    # Whoosh 2.7.4 was written before invalid escapes in string literals were warned about.
    warnings.simplefilter("ignore", SyntaxWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    from whoosh.codec.whoosh3 import W3LeafMatcher
    from whoosh.columns import NumericColumn
    from whoosh.fields import COLUMN, ID, TEXT, Schema
    from whoosh.filedb.filestore import FileStorage
    from whoosh.formats import Positions
    from whoosh.index import FileIndex
    from whoosh.lang import NoStopWords, stemmer_for_language, stopwords_for_language
    from whoosh.lang.porter import stem as porter_stem
    from whoosh.matching.wrappers import FilterMatcher
    from whoosh.query import Or, Term
    from whoosh.reading import TermNotFound
    from whoosh.system import pack_uint
    from whoosh.writing import SegmentWriter

DISTRIBUTION = "whoosh"

__all__ = [
    "COLUMN",
    "DISTRIBUTION",
    "ID",
    "TEXT",
    "FileIndex",
    "FileStorage",
    "FilterMatcher",
    "NoStopWords",
    "NumericColumn",
    "Or",
    "Positions",
    "Schema",
    "SegmentWriter",
    "Term",
    "TermNotFound",
    "W3LeafMatcher",
    "pack_uint",
    "porter_stem",
    "stemmer_for_language",
    "stopwords_for_language",
]
