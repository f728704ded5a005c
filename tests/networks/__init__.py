"""Networks and tensor functions beside PyTorch; where it is not installed they skip."""
