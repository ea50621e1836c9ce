"""Code of the answer: names that nothing defines, and what came of running it where that is asked.

Rule of this room: only what is certain is a fault. Nothing here runs anything; what to run is
chosen here, and what came of it is read here.
"""
