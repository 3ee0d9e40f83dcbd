"""Everything the project takes from Whoosh, in one place.

Another distribution with the same interface can be put in by changing this file alone.
Importing it costs about a quarter of a second: import it inside functions.
"""

import warnings

with warnings.catch_warnings():
    # Whoosh 2.7.4 was written before invalid escapes in string literals were warned about.
    warnings.simplefilter("ignore", SyntaxWarning)
    warnings.simplefilter("ignore", DeprecationWarning)
    from whoosh.analysis import Analyzer, Token
    from whoosh.fields import ID, STORED, TEXT, Schema
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import FileIndex
    from whoosh.lang.porter import stem as porter_stem
    from whoosh.query import Or, Phrase, Term
    from whoosh.scoring import BM25F

DISTRIBUTION = "whoosh"

__all__ = [
    "BM25F",
    "DISTRIBUTION",
    "ID",
    "STORED",
    "TEXT",
    "Analyzer",
    "FileIndex",
    "FileStorage",
    "Or",
    "Phrase",
    "Schema",
    "Term",
    "Token",
    "porter_stem",
]
