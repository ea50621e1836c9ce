"""What is kept, and where: records, the contract of a store, and its backends."""
