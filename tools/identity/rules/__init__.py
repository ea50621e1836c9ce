"""What is known about the texts of tools, as data: one `*.rules` file a table (see `table.py`)."""
