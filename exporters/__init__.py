"""Graph to text or bytes: one file a format, pure functions, the same input the same bytes."""
