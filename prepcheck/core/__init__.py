"""Pure arithmetic: element types, layouts, sizes, strides, quantisation, colour, geometry. No input or output."""
