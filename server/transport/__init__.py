"""The SDK's server and stdio transport, hardened: each module names the fault it works around,
the version that has it, and what would let the module go.
"""
