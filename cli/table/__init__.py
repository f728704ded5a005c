"""Tables: files of columns, read and written in batches of rows."""
