"""Whether answers are good: gold questions, measures over spans, comparison of settings."""
