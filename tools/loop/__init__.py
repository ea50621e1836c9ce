"""Answer, check, critique, revise: a loop without I/O."""
