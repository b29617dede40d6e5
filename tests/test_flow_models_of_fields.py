"""Configurations that are classes of fields: omegaconf's and pydantic's, and what their annotations are at run time."""

from __future__ import annotations

import runpy
import textwrap
from pathlib import Path
from typing import Any

import pytest
from flow_values import interpreted
from test_flow_stand_ins import follow

from arraytyping.checker.flow.libraries.parsed_texts import PARSERS
from arraytyping.checker.flow.report.analysis import analyze
from arraytyping.checker.flow.values import DictValue, Unknown
from arraytyping.checker.settings import Settings

OMEGACONF = """
    import dataclasses
    from typing import List, Optional
    from omegaconf import OmegaConf, DictConfig, ListConfig
    c = OmegaConf.create({
        "a": {"b": 2, "l": [1, 2, {"x": 3}]}, "i": "${a.b}", "t": (1, 2),
        "deep": {"r": "${..a.b}", "s": "${.q}", "q": 5},
    })
    @dataclasses.dataclass
    class Inner:
        width: int = 3
        rate: Optional[float] = None
        sizes: List[int] = dataclasses.field(default_factory=lambda: [1, 2])
    @dataclasses.dataclass
    class Config:
        n: int = 1
        inner: Inner = dataclasses.field(default_factory=Inner)
        name: str = "???"
        f: float = 1
    s = OmegaConf.structured(Config)
    dots = OmegaConf.merge(c.a, OmegaConf.from_dotlist(["b=7", "z.y=0.5", "w=true", "v=[1,2]", "q=null", "e=1e-3"]))
    made = OmegaConf.to_object(OmegaConf.merge(s, {"name": "k", "inner": {"width": 8, "rate": 1}}))
    def taken(b, l):
        return b
    v = {
        "interpolations": (c.i, c.deep.r, c.deep.s),
        "lists": (len(c.a.l[:2]), len(c.a.l + [4]), isinstance(c.a.l, (list, tuple)), c.a.l[-1].x),
        "equal": (c.a.l == [1, 2, {"x": 3}], c.t == (1, 3)),
        "merged": (OmegaConf.merge(c.a, {"b": 7, "l": [9]}).b, len(OmegaConf.merge(c.a, {"l": [9]}).l)),
        "words": (dots.b, dots.z.y, dots.w, dots.v[1], dots.q, dots.e),
        "structured": (s.f, s.inner.sizes[1], made.inner.width, made.inner.rate, made.n),
        "selected": (OmegaConf.select(c, "a.l[2].x"), OmegaConf.select(c, "a.z.y"), c.get("absent", 5), "absent" in c),
        "container": OmegaConf.to_container(c.deep, resolve=True)["r"],
        "arguments": taken(**{k: 1 for k in c.a}),
    }
    OmegaConf.update(c, "a.b", 9)
    s.f = 3
    v["changed"] = (c.i, s.f)
    cli = OmegaConf.from_cli()
    v["line"] = cli.get("n", 4)
    x = jnp.zeros((3, *c.t))
    y = jnp.zeros(c.t)
"""
OMEGACONFS = {  # of release 2.3.1
    "interpolations": (2, 2, 5), "lists": (2, 4, False, 3), "equal": (True, False), "merged": (7, 1),
    "words": (7, 0.5, True, 2, None, 0.001), "structured": (1.0, 2, 8, 1.0, 1), "selected": (3, None, 5, False),
    "container": 2, "arguments": 1, "changed": (9, 3.0), "line": 4,
}  # fmt: skip

PYDANTIC = """
    from typing import Any, ClassVar, List, Optional, Tuple
    from pydantic import BaseModel, Field, field_validator, model_validator
    class Inner(BaseModel):
        width: int = 3
    class Config(BaseModel):
        name: str = "x"
        n: int = 1
        rate: float = 1
        _scale: float = 1.0
        sizes: Tuple[int, ...] = (2, 3)
        items: List[int] = Field(default_factory=lambda: [1])
        inner: Inner = Inner()
        most: Optional[float] = None
        limit: int = Field(7, ge=0)
        KIND: ClassVar[int] = 5
    class Derived(Config):
        n: int = 9
        extra: float = 0.5
        v: int = 3
        @field_validator("v")
        @classmethod
        def up(cls, v):
            return v + 1
        @property
        def twice(self):
            return self.n * 2
    class Checked(BaseModel):
        n: int = 2
        @model_validator(mode="after")
        def up(self):
            self.n = 3
            return self
    def shown(c):
        return (c.name, c.n, c.rate, c._scale, c.sizes, c.items[0], c.inner.width, c.most, c.limit, c.KIND)
    c = Config(rate=2, n=4, inner={"width": 8}, most=3)
    d = Derived(extra=1)
    v = {"default": shown(Config(**{})), "given": shown(c), "derived": (d.n, d.extra, d.v, d.rate, d.twice)}
    c.n = 6
    v["changed"] = (c.n, c.model_dump()["n"], c.model_copy(update={"n": 11}).n, c.model_dump()["inner"]["width"])
    v["other"] = (isinstance(c, BaseModel), hasattr(c, "absent"), Config.model_validate({"n": 3}).n)
    v["validated"] = (Derived(v=5).v, Checked().n)
"""


def plain(value: Any) -> Any:
    """Tuples and numbers as they are, `...` for what is not known."""
    return tuple(map(plain, value)) if isinstance(value, tuple) else ... if isinstance(value, Unknown) else value


def test_configurations_of_omegaconf(tmp_path: Path) -> None:
    result, names = follow(tmp_path, OMEGACONF)
    assert not [m for m in result.diagnostics if m.is_certain]
    v = names["v"]
    assert isinstance(v, DictValue)
    assert v.items is not None
    assert {key: plain(value) for key, value in v.items.items()} == OMEGACONFS
    assert (repr(names["x"]), repr(names["y"])) == ("ArrayValue(float32[3, 1, 2])", "ArrayValue(float32[1, 2])")


def test_models_of_pydantic(tmp_path: Path) -> None:
    pytest.importorskip("pydantic")
    result, names = follow(tmp_path, PYDANTIC)
    assert not [m for m in result.diagnostics if m.is_certain]
    real: dict[str, Any] = {}
    exec(textwrap.dedent(PYDANTIC), real)
    v = names["v"]
    assert isinstance(v, DictValue)
    assert v.items is not None
    found = {key: plain(value) for key, value in v.items.items()}
    assert found.pop("validated") == (..., ...)
    assert found == {key: value for key, value in real["v"].items() if key != "validated"}


@pytest.mark.parametrize(
    "text", ["1e-3", "1e3", "-1E5", "1.5e3", "1_0e3", "0.5", "2", "a", "true", "null", "1:30", "e3"]
)
def test_omegaconf_has_floats_of_its_own(text: str) -> None:
    """As release 2.3.1 reads them: what has an exponent is a float, with a point or without."""
    read = PARSERS["omegaconf"](text)
    if "e" in text.lower() and text[-1].isdigit() and text != "e3":
        assert read == float(text.replace("_", ""))
    else:
        assert read == PARSERS["yaml"](text)
    assert PARSERS["omegaconf"]("2001-01-01") == "2001-01-01"


@pytest.mark.parametrize("is_postponed", [False, True])
def test_annotations_are_values(tmp_path: Path, is_postponed: bool) -> None:
    text = """
        import dataclasses
        from typing import Any, Optional
        @dataclasses.dataclass
        class Inner:
            width: int = 3
        @dataclasses.dataclass
        class Config:
            n: int = 1
            f: Optional[float] = 1
            a: Any = 3
            i: Inner = None
            g: "int" = 4
        kinds = [f.type for f in dataclasses.fields(Config)]
        v = (kinds[0] in (int, "int"), kinds[0] is int, kinds[1] == Optional[float], kinds[2] is Any, kinds[3] is Inner)
        w = (kinds[4], Config.__annotations__["n"] is int, Config.__annotations__["n"] == "int")
    """
    future = "from __future__ import annotations\n" if is_postponed else ""
    program = tmp_path / "train.py"
    program.write_text(future + textwrap.dedent(text))
    variables, _ = interpreted(program.read_text())
    real = runpy.run_path(str(program))
    assert plain(variables["v"]) == real["v"]
    if not is_postponed:
        assert plain(variables["w"]) == real["w"]


def test_words_that_omegaconf_reads(tmp_path: Path) -> None:
    """A program that exits under a condition needs no words, if a parser knows what to do without."""
    text = """
        import sys
        from omegaconf import OmegaConf
        c = OmegaConf.merge({"n": 4, "m": {"k": 2}}, OmegaConf.from_cli())
        if c.n > 100:
            sys.exit(1)
        x = jnp.zeros((c.n, c.m.k))
    """
    assert repr(follow(tmp_path, text)[1]["x"]) == "ArrayValue(float32[4, 2])"
    assert repr(follow(tmp_path, text, "n=5", "m.k=3")[1]["x"]) == "ArrayValue(float32[5, 3])"
    (tmp_path / "pyproject.toml").write_text("")
    found = analyze([tmp_path / "train.py"], Settings())
    assert "float32[4, 2]" in {str(e) for file in found.claims.files.values() for e in file.expressions}
