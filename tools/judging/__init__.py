"""What is wrong with an answer, as far as a machine can prove it?"""
