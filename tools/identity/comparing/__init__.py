"""Says what tells two errors apart, or that nothing does."""
