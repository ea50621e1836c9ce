"""Code of the answer: names that nothing defines, and the result of running it if that is allowed.

Rule of this room: only what is certain is a fault. Nothing here runs anything; what to run is
chosen here, and what came of it is read here.
"""
