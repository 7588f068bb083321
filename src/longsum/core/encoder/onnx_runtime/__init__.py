"""HiBERT without PyTorch: sentences on ONNX Runtime, the document in NumPy."""
