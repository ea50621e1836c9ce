"""Who may do what over HTTP; loaded only by `serve --http`, `tokens` and `doctor`."""
