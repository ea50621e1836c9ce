"""From a line to its canonical form: data is masked, words that name the fault stay."""
