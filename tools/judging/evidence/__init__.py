"""What tools said about a piece of work, and whether the answer says otherwise.

Rule of this room: nothing else that reaches us is as strong as the output of a tool, so it is read
literally, and a claim is held against it only when both speak of the same thing.
"""
