"""Is the answer one at all: no refusal, nothing left for later, not broken off?"""
