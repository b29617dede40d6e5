"""Makes docs/pictures/notebook.png: a notebook that is run with the extension, as a browser shows it.

pip install nbclient nbconvert ipykernel pillow        # and chromium
python tools/screenshots/notebook.py [PICTURE]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from PIL import Image, ImageChops

CELLS = [
    "%load_ext arraytyping",
    "import jax\nimport jax.numpy as jnp\n\nkey = jax.random.key(0)\nimages = jax.random.normal(key, (100, 28, 28))\n"
    "scale = 2.0 * jnp.asarray(0.5)",
    "@jax.jit\ndef centred(images, mean):\n    return images.reshape(100, -1) - mean",
    "mean = images.mean(axis=0)\nflat = centred(images, mean)",
]
WIDTH, HEIGHT = 1000, 2000


def run_notebook() -> Any:
    """The notebook, run; without what waits for the engine, and with the tracebacks' last lines only."""
    hidden = "%arraytyping wait 20\n%xmode Minimal\nimport time; time.sleep(8)"
    cells = [f"{CELLS[0]}\n{hidden}", *CELLS[1:], "time.sleep(8)"]
    notebook: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    with tempfile.TemporaryDirectory() as folder:
        place = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True, resources=place)
        client.execute()
    del notebook.cells[-1]
    notebook.cells[0].source = CELLS[0]
    if "array-shape" not in str(notebook.cells[-1].outputs):
        raise SystemExit("the mistake was not found in time; try again where less is running")
    for number, cell in enumerate(notebook.cells, 1):
        cell.execution_count = number
        cell.outputs = [o for o in cell.outputs if "text" not in o or "Exception reporting" not in o.text]
    return notebook


def main() -> None:
    """Make the picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("picture", nargs="?", type=Path, default=Path("docs/pictures/notebook.png"))
    picture: Path = parser.parse_args().picture.resolve()
    browser = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    page, _ = HTMLExporter(template_name="lab").from_notebook_node(run_notebook())
    with tempfile.TemporaryDirectory() as folder:
        html = Path(folder, "notebook.html")
        html.write_text(page, encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]
        command = [browser, *options, f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={picture}", html.as_uri()]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=500)
    image = Image.open(picture).convert("RGB")
    ground = Image.new("RGB", image.size, image.getpixel((2, HEIGHT - 2)))
    box = ImageChops.difference(image, ground).getbbox() or (0, 0, WIDTH, HEIGHT)
    image.crop((0, 0, WIDTH, min(box[3] + 16, HEIGHT))).quantize(128).save(picture, optimize=True)
    print(f"written: {picture}")


if __name__ == "__main__":
    main()
