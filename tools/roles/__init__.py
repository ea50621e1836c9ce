"""The roles of a model: each renders its input to a prompt and reads the reply.

A role knows nothing of how a model is reached, and nothing of what is decided on its reply.
"""
