"""Does a calculation come to what the text says, and is a false-looking one really meant?"""
