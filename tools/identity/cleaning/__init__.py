"""Takes off what was added to an error on its way here: colours, prefixes, envelopes, wrapping."""
