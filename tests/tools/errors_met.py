"""Errors that the tests of the use cases meet."""

YAML = """Traceback (most recent call last):
  File "/home/ada/shop/app/orders.py", line 41, in load_orders
    import yaml
ModuleNotFoundError: No module named 'yaml'"""
YAML_ELSEWHERE = """Traceback (most recent call last):
  File "C:\\ci\\build-7781\\app\\orders.py", line 57, in load_orders
    import yaml
ModuleNotFoundError: No module named 'yaml'"""
REQUESTS = YAML.replace("yaml", "requests")
UNRELATED = "fatal: not a git repository (or any of the parent directories): .git"
