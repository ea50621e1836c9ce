"""Names that an answer writes as code and that a listing of them lacks.

Rule of this room: absence is a fault only where the context is a listing that claims to be whole,
or where the project's own files are known; what the answer creates or proposes is none.
"""
