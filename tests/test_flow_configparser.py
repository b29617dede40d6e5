"""INI files that a program reads with `configparser`, as Python reads them; what is not known of them is text."""

from __future__ import annotations

from pathlib import Path

import pytest
from flow_values import interpreted, is_known, run, wrong_claims

from arraytyping.checker.flow.start.program import interpret
from arraytyping.checker.flow.state.showing import show

PROGRAM = r"""
import configparser
from configparser import ConfigParser, ExtendedInterpolation, RawConfigParser
T = '''
[DEFAULT]
root = /tmp
Size = 4
[train]
batch = 8
lr = 1e-3
use = yes
dir = %(root)s/x%%
Name : hello
  world
empty =
[Eval]
batch: 16
size = 5
'''
c = configparser.ConfigParser()
c.read_string(T)
a = c.sections(), c['train']['batch'], c['Eval']['SIZE'], c['train']['size'], c['train']['name'], c['train']['empty']
b = c.getint('train', 'batch'), c.getfloat('train', 'lr'), c.getboolean('train', 'use'), c.get('train', 'dir')
d = c['train'].getint('batch'), c['train'].getfloat('nope'), c['train'].getfloat('nope', 2.5)
d2 = c['train'].get('nope', 'x'), c['train'].getboolean('use')
e = c.get('nope', 'x', fallback=3), c.getint('train', 'nope', fallback=None), c.has_section('train')
e2 = c.has_option('train', 'root'), 'train' in c, 'zz' in c
f = dict(c['train']), dict(c.items('Eval')), list(c), len(c), c.defaults(), c.options('Eval')
f2 = dict(c["DEFAULT"]), list(c["DEFAULT"].keys()), len(c["train"])
g = {k: dict(v) for k, v in c.items()}
h = c.get('train', 'dir', raw=True), c.get('train', 'dir', vars={'root': 'v'})
c['new'] = {'a': 1, 'b': 'x'}
c['new']['c'] = 'd'
c.set('new', 'e', 'f')
i = dict(c['new']), c.getint('new', 'a')
j = c.remove_option('new', 'a'), c.remove_section('Eval'), c.sections()
x = ConfigParser(interpolation=ExtendedInterpolation())
x.read_string('[a]\nx = 1\ny = ${x}2\n[b]\nz = ${a:y}3$$\n')
k = x['a']['y'], x['b']['z'], x.getint('a', 'y')
r = RawConfigParser({'q': '5'})
r.optionxform = str
r.read_string('[a]\nX = %(q)s\n')
l = r['a']['X'], r['a']['q'], 'x' in r['a']
n = ConfigParser(interpolation=None)
n.read_dict({'a': {'x': 1, 'Y': True}})
m = n['a']['x'], n.getboolean('a', 'y'), n['a'].name, n.getint('a', 'x') + 1
try:
    o = c['nope']
except KeyError:
    o = 1
try:
    p = c.get('nope', 'x')
except configparser.NoSectionError:
    p = 2
try:
    q = c.get('train', 'zz')
except configparser.NoOptionError:
    q = 3
def build(batch, lr, **more): return batch
s = build(**c['train'])
t = [int(v) for v in '1, 2'.split(',')], [key for key in c['train']]
"""
PARSERS = ("c", "x", "r", "n")
INI = """
[DEFAULT]
Size = 4
; a comment
[train]
batch = 8
lr = 1e-3
width = %(batch)s0
"""
BEFORE = """
import configparser, sys
import jax.numpy as jnp
c = configparser.ConfigParser()
"""


def test_what_a_configuration_holds_is_what_python_reads() -> None:
    variables, result = interpreted(PROGRAM)
    assert not result.crashes, result.crashes
    assert not result.diagnostics
    variables, real = ({n: v for n, v in found.items() if n not in PARSERS} for found in (variables, run(PROGRAM)))
    assert wrong_claims(PROGRAM, variables, real) == []
    assert [name for name, value in variables.items() if len(name) < 3 and not is_known(value)] == []


READ = {
    "c.read('a.ini'); z = jnp.ones(c.getint('train', 'batch'))": "float32[8]",
    "c.read(['a.ini']); z = jnp.ones(int(c['train']['size']))": "float32[4]",
    "c.read_file(open('a.ini')); z = jnp.ones(c['train'].getint('width'))": "float32[80]",
    "c.read('a.ini'); z = c.getfloat('train', 'lr')": "the Python float 0.001",
    "c.read('a.ini'); c.read('none.ini'); z = c.getint('train', 'batch')": "a Python int",
    "c.read('none.ini'); z = c.getfloat('a', 'b')": "a Python float",
    "c.read('none.ini'); z = c.getboolean('a', 'b')": "a Python bool",
    "c.read('none.ini'); z = c['a']['b']": "a Python str",
    "c.read('none.ini'); z = c['a'].get('b')": "a Python str or None",
    "c.read('none.ini'); z = c.get('a', 'b', fallback=3)": "a Python str or the Python int 3",
    "c.read('none.ini'); z = c.getint('a', 'b', fallback=None)": "a Python int or None",
    "c.read('none.ini'); z = 'a' in c": "a Python bool",
    "c.read('none.ini'); c['a'] = {'b': '3'}; z = c['a']['b']": "the Python str '3'",
    "c.read_string(sys.stdin.read()); z = c['a']['b']": "a Python str",
    "c.read('a.ini')\nif input(): c['train']['batch'] = '9'\nz = c['train']['batch']": "a Python str",
    "open('a.ini', 'w').write('[train]'); c.read('a.ini'); z = c['train']['batch']": "a Python str",
    "c = configparser.ConfigParser(delimiters=('=',)); c.read('a.ini'); z = c['train']['batch']": "a Python str",
    "c = configparser.ConfigParser(allow_no_value=True); c.read('a.ini'); z = c['a']['b']": "a Python str or None",
}


@pytest.mark.parametrize("text", READ)
def test_files_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "a.ini").write_text(INI)
    (tmp_path / "train.py").write_text(BEFORE + text)
    monkeypatch.chdir(tmp_path)
    result = interpret(tmp_path / "train.py")
    assert not result.crashes, result.crashes
    assert not [m for m in result.diagnostics if m.is_certain]
    assert show(result.interpreter.importer.modules["__main__"].frame.variables["z"]) == READ[text]


@pytest.mark.parametrize("read", ["c['a']['b']", "c.get('a', 'b')", "c['a']", "c['a'].getint('b')"])
def test_what_may_be_missing_may_raise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: str) -> None:
    (tmp_path / "train.py").write_text(f"{BEFORE}c.read('none.ini')\ntry: z = {read}\nexcept Exception: z = None\n")
    monkeypatch.chdir(tmp_path)
    result = interpret(tmp_path / "train.py")
    z = result.interpreter.importer.modules["__main__"].frame.variables["z"]
    assert show(z).startswith("something else") or show(z).endswith("None")
