"""An interpreter for a small stack machine: lax.switch over opcodes, vmapped over programs, with an assembler."""

import enum
import re
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

STACK = 8
MEMORY = 4


class Op(enum.IntEnum):
    HALT = 0
    PUSH = enum.auto()
    ADD = enum.auto()
    MUL = enum.auto()
    SUB = enum.auto()
    DUP = enum.auto()
    LOAD = enum.auto()
    STORE = enum.auto()
    JNZ = enum.auto()
    MOD = enum.auto()


@jax.tree_util.register_pytree_node_class
@dataclass
class Machine:
    pc: jax.Array
    sp: jax.Array
    stack: jax.Array
    memory: jax.Array
    halted: jax.Array
    cycles: jax.Array

    @classmethod
    def boot(cls, inputs):
        memory = jnp.zeros(MEMORY, jnp.int32).at[: len(inputs)].set(jnp.asarray(inputs, jnp.int32))
        zero = jnp.int32(0)
        return cls(zero, zero, jnp.zeros(STACK, jnp.int32), memory, jnp.array(False), zero)

    def push(self, value):
        return replace(self, stack=self.stack.at[self.sp].set(value), sp=self.sp + 1)

    def pop(self):
        sp = self.sp - 1
        return self.stack[sp], replace(self, sp=sp)

    def tree_flatten(self):
        return tuple(vars(self).values()), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


def binary(fn):
    def instruction(m, arg):
        b, m = m.pop()
        a, m = m.pop()
        return m.push(fn(a, b))

    return instruction


def op_halt(m, arg):
    return replace(m, halted=jnp.array(True))


def op_store(m, arg):
    value, m = m.pop()
    return replace(m, memory=m.memory.at[arg].set(value))


def op_jnz(m, arg):
    value, m = m.pop()
    return replace(m, pc=jnp.where(value != 0, arg - 1, m.pc))


INSTRUCTIONS = {
    Op.HALT: op_halt,
    Op.PUSH: lambda m, arg: m.push(arg),
    Op.ADD: binary(jnp.add),
    Op.MUL: binary(jnp.multiply),
    Op.SUB: binary(jnp.subtract),
    Op.MOD: binary(lambda a, b: jnp.where(b == 0, 0, a % jnp.maximum(b, 1))),
    Op.DUP: lambda m, arg: m.push(m.stack[m.sp - 1]),
    Op.LOAD: lambda m, arg: m.push(m.memory[arg]),
    Op.STORE: op_store,
    Op.JNZ: op_jnz,
}
BRANCHES = [INSTRUCTIONS[op] for op in sorted(INSTRUCTIONS)]


def assemble(source):
    """One instruction per line, `label:` lines, comments after ';'."""
    labels, lines = {}, []
    for raw in source.splitlines():
        line = raw.split(";")[0].strip()
        if not line:
            continue
        if m := re.fullmatch(r"(\w+):", line):
            labels[m.group(1)] = len(lines)
        else:
            lines.append(line.split())
    code = []
    for line in lines:
        match line:
            case [name]:
                code.append((Op[name.upper()], 0))
            case [name, arg] if arg in labels:
                code.append((Op[name.upper()], labels[arg]))
            case [name, arg]:
                code.append((Op[name.upper()], int(arg)))
            case _:
                raise SyntaxError(f"cannot assemble {line}")
    return np.array(code, dtype=np.int32)


def pad_programs(programs):
    longest = max(map(len, programs))
    return np.stack([np.pad(p, ((0, longest - len(p)), (0, 0))) for p in programs])


def execute(code, machine, fuel):
    def running(m):
        return ~m.halted & (m.cycles < fuel)

    def step(m):
        opcode, arg = code[m.pc]
        m = jax.lax.switch(opcode, BRANCHES, m, arg)
        return replace(m, pc=m.pc + 1, cycles=m.cycles + 1)

    return jax.lax.while_loop(running, step, machine)


FACTORIAL = """
    push 1
    store 1
loop:
    load 0          ; n
    load 1
    mul
    store 1         ; acc *= n
    load 0
    push 1
    sub
    dup
    store 0         ; n -= 1
    jnz loop
    halt
"""

GCD = """
loop:
    load 1
    load 0
    load 1
    mod
    store 1
    store 0
    load 1
    jnz loop
    load 0
    store 1
    halt
"""

SPIN = """
loop:
    push 1
    jnz loop
"""


@jax.jit
def run_all(programs, inputs, fuel):
    machines = jax.vmap(Machine.boot)(inputs)
    return jax.vmap(execute, in_axes=(0, 0, None))(programs, machines, fuel)


if __name__ == "__main__":
    sources = {"factorial": (FACTORIAL, (6, 0)), "gcd": (GCD, (84, 36)), "spin": (SPIN, (0, 0))}
    programs = pad_programs([assemble(src) for src, _ in sources.values()])
    inputs = np.array([args for _, args in sources.values()])
    print("programs", programs.shape, programs.dtype)
    final = run_all(programs, inputs, 150)
    for i, name in enumerate(sources):
        m = jax.tree.map(lambda x: x[i], final)
        status = "halted" if m.halted else "out of fuel"
        print(f"{name}: {status} after {m.cycles} cycles, memory {m.memory}")
    try:
        assemble("push 1 2")
    except SyntaxError as e:
        print("assembler:", e)
