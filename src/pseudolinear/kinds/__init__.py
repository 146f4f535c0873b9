"""The kinds of problem: binary, multilabel, multiclass."""
