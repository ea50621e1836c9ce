"""The front: answers a host's first requests before the SDK is loaded.

`snapshot` holds what the SDK says, `recording` asks it, `replies` answers from it, `front` reads
the lines of the client and hands over to the SDK what only that can answer. All but `recording` use
the standard library alone.
"""
