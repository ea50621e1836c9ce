"""What tools are known to have reworded from one version, system or client to another.

Rule of this package: each row names one message and who words it which way; the wordings come from
one and the same fault, and what the message is *about* (module, key, host, type) is never touched.
What only one version tells beside the message goes in parentheses: told on one side it says
nothing, told on both it must be equal.
"""
