"""The picture as PNG, drawn by matplotlib, which the extra `plot` installs."""

from __future__ import annotations

import io

from arraytyping.checker.cli.drawing.formats import COLORS
from arraytyping.checker.cli.drawing.picture import SIZE, WIDTH, picture
from arraytyping.semantics.promotion.system import System

__all__ = ["MissingExtraError", "as_png"]

_DPI = 100
_SHARPNESS = 2
"""How many pixels are drawn for one of those 800, in each direction."""


class MissingExtraError(ImportError):
    """What draws is not installed; the message is one sentence that says what to install."""


def as_png(system: System) -> bytes:
    """A drawing that is to be shown 800 pixels wide.

    Raises:
        MissingExtraError: if matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
        from matplotlib.path import Path
    except ImportError as error:
        raise MissingExtraError(
            f'a PNG is drawn by matplotlib, which cannot be imported ({error}): pip install "arraytyping[plot]", '
            "or ask for --format svg, which needs nothing"
        ) from None
    drawn = picture(system)
    figure = Figure(figsize=(drawn.width / _DPI, drawn.height / _DPI), dpi=_DPI)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, drawn.width)
    axes.set_ylim(drawn.height, 0)
    axes.set_axis_off()

    def write(x: float, y: float, text: str, size: float, align: str) -> None:
        axes.text(x, y, text, ha=align, family="DejaVu Sans Mono", fontsize=size * 72 / _DPI, color="#222222")

    write(18, 30, drawn.title, SIZE, "left")
    for curve in drawn.curves:
        codes = [Path.MOVETO, *[Path.CURVE4] * (len(curve) - 1)]
        axes.add_patch(PathPatch(Path(curve, codes), fill=False, edgecolor="#777777", linewidth=1.1))
        x, y = curve[-1]
        axes.add_patch(Polygon([(x, y), (x - 8, y - 4), (x - 8, y + 4)], facecolor="#777777", linewidth=0))
    for box in drawn.boxes:
        fill, border = COLORS[box.kind]
        corner = box.height / 2 if box.is_scalar else 5
        left, top = box.x - box.width / 2, box.y - box.height / 2
        shape = f"round,pad=0,rounding_size={corner}"
        axes.add_patch(
            FancyBboxPatch(
                (left, top), box.width, box.height, boxstyle=shape, facecolor=fill, edgecolor=border, linewidth=1.1
            )
        )
        for line, y in zip(box.lines, box.baselines):
            write(box.x, y, line, box.size, "center")
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=_DPI * _SHARPNESS * WIDTH / drawn.width, metadata={"Software": None})
    return out.getvalue()
