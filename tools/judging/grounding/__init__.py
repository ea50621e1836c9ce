"""Does what an answer says stand in the context it was to rest on?"""
