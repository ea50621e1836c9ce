"""Look an error up: matching it with stored errors, and the fixes that may answer it."""
