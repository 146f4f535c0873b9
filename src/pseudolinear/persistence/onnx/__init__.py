"""Decisions as ONNX graphs, in double precision throughout."""

from pseudolinear.persistence.onnx._export import to_onnx

__all__ = ["to_onnx"]
