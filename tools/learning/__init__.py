"""Learning from what happened: new lessons, ranking, track record, consolidation, limits."""
