"""Does a stated solution satisfy the equation it was found from?"""
