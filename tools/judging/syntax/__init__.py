"""Can the code in an answer be read by its language?"""
