"""What stands before the SDK: a host that asks what there is gets its answer before the SDK loads.

`snapshot` holds what the SDK says, `recording` asks it, `replies` answers from it, `front` reads
the lines of the client and hands over to the SDK what only that can answer. All but `recording` use
the standard library alone.
"""
