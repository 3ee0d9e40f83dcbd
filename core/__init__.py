"""The engine: sources, conversion, sections, splitters, library and search, without a screen."""
