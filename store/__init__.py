"""Storage: records, the contract of a store, and its backends."""
