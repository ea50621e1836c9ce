"""From a line to its canonical form: what is data goes, what names the fault stays."""
