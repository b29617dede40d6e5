"""One module for each thing that the plugin knows."""
