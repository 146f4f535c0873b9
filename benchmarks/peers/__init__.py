"""The programs that ours is measured beside, one file each."""
