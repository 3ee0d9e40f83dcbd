"""The terminal application and the command line, both clients of `chunkscope.core`."""
