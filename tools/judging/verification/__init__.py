"""Questions to answer without the draft in view, and the comparison with what the draft says."""
