"""Replaces what is incidental and keeps what names the fault, by tables of rules.

A value that differs between two meetings of one error is replaced by a placeholder that says what
stood there; a value that names the fault (a type, code, module, key, host, well-known port, file
name) stays. No row depends on words of one human language unless a tool prints them in that
language only.
"""
