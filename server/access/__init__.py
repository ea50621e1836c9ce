"""Who may do what over HTTP: loaded by `serve --http`, `tokens` and `doctor` alone."""
