"""The loop of critique and revision, as a value that asks for what it needs and does no I/O.

`LoopState.step()` says `Ask(role, input)`, `Assess(answer)` or None; a method for each reply
returns the next state. Whoever drives it decides how a role is reached: by a model with a key, by
the client's model, or by the caller's next call, for which the state is written to a small token.
"""
