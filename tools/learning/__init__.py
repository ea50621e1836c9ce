"""Learning from what happened: reflector, insights, effect, consolidation, retention."""
