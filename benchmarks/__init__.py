"""What the package costs and what it reaches, beside the programs that people use today."""
