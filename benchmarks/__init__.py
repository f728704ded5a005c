"""What cgraph promises about time, measured side by side in one run: `make bench`."""
