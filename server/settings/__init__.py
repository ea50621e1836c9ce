"""Settings, and the places where things lie."""
