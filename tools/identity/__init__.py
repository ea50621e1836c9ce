"""When are two errors the same?"""
