"""HTML: choosing the content, Markdown with positions, sections."""
