"""Pictures of orders: laid out by rank once, then written as text, for Mermaid or Graphviz, as SVG or as PNG."""
