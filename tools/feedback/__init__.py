"""Apply what a person says of an answer, a lesson or a look-up."""
