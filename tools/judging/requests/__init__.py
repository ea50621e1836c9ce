"""What a question asks of the form of its answer, and whether the answer has it."""
