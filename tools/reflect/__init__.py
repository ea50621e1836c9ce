"""Judge an answer or an episode and learn from it: request, history, assessment, what is stored."""
