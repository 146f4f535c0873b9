"""The only place with compiled loops: plain arrays in, plain arrays out."""
