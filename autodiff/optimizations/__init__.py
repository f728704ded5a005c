"""The passes of optimization: what each rewrites its module says, and what it assumes."""
