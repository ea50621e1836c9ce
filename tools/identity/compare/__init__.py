"""Are two reports one error?"""
