"""Small faults that can be injected into a Python file, one at a time.

Code whose change cannot matter is skipped: docstrings, annotations, decorators, imports,
assertions, texts of errors and help, `__repr__`, code only for type checkers, block sizes
(`_BLOCK`), which only affect time and memory, and moves of tensors to a device, which is the CPU
where tests run.
"""

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

OTHER_COMPARISONS: dict[type, Sequence[type]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OTHER_OPERATIONS: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OTHER_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
OTHER_METHODS = {
    **{"min": "max", "max": "min", "amin": "amax", "amax": "amin", "any": "all", "all": "any"},
    **{"argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor"},
    **{"minimum": "maximum", "maximum": "minimum"},
    **{"fullmatch": "search", "match": "search", "bisect_left": "bisect_right"},
    **{"bisect_right": "bisect_left", "is_file": "is_dir", "is_dir": "is_file"},
}
CONVERSIONS = (
    *("list", "tuple", "set", "frozenset", "dict", "iter", "str", "int", "float", "bool", "Path"),
)
"""What often changes nothing but the type."""
MOST_ELEMENTS = 8
"""Of longer rows, such as lists of words, none is dropped."""
SYMMETRIC = ("min", "max", "minimum", "maximum", "suppress")
ORDERS = ("key", "reverse", "default")
UNHEARD_KEYWORDS = {
    *("help", "description", "title", "metavar", "epilog", "strict", "encoding", "repr"),
}
UNHEARD_CALLS = {
    *("cast", "TypeVar", "ParamSpec", "NewType", "warn", "debug", "info", "warning", "print"),
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a file.

    Attributes:
        line: Its line, from 1.
        functions: The first lines of the enclosing functions, including decorators.
        what: The kind of fault.
        start: Offset of its first character in the file.
        end: Offset after its last one.
        new: The replacement.
    """

    line: int
    functions: tuple[int, ...]
    what: str
    start: int
    end: int
    new: str

    def put_into(self, text: str) -> str:
        """Return the file with the fault."""
        return text[: self.start] + self.new + text[self.end :]


def faults_of(text: str) -> list[Fault]:
    """Return all faults that can be injected into a Python file."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found = []
    for node, functions in _mutable(ast.parse(text), ()):
        start = place(node.lineno, node.col_offset)
        end = place(node.end_lineno, node.end_col_offset)
        for what, changed in _changes(node, bool(functions)):
            new = ast.unparse(ast.fix_missing_locations(changed))
            if isinstance(node, ast.expr):
                new = f"({new})"
            found.append(Fault(node.lineno, functions, what, start, end, new))
    return found


def is_python(text: str) -> bool:
    """Return whether a text compiles: a starred expression in brackets, for example, does not."""
    try:
        compile(text, "fault", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


class _Condition(ast.expr):
    """The condition of a statement."""

    _fields = ("test", "repeated")


def _mutable(node: ast.AST, functions: tuple[int, ...]) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Yield the nodes in which a fault could have an effect, with their enclosing functions."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.JoinedStr():
            return
        case ast.Expr(value=ast.Constant()):
            return
        case ast.FunctionDef(name="__repr__" | "__str__"):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return
        case ast.Raise():
            yield node, functions
            return
        case ast.AnnAssign(value=value):
            if value is not None:
                yield from _mutable(value, functions)
            return
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__" | "EXAMPLES" | "_BLOCK")]):
            return
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in UNHEARD_CALLS:
            return
        case ast.keyword(arg=name) if name in UNHEARD_KEYWORDS:
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            inner = (first, *functions)
            for default in _read_defaults(node):
                yield from _mutable(default, inner)
            for each in node.body:
                yield from _mutable(each, inner)
            return
        case ast.ClassDef():
            for each in node.body:
                yield from _mutable(each, functions)
            return
        case ast.Subscript(ctx=ast.Load(), slice=ast.Name() | ast.Tuple()) if not functions:
            return  # An alias of a type.
        case ast.Subscript(value=ast.Name(id="Literal")):
            return
        case ast.Constant() if _is_message(node):
            return
    if isinstance(node, ast.If | ast.While):
        condition = _Condition(node.test, isinstance(node, ast.While))
        yield ast.copy_location(condition, node.test), functions
    if isinstance(node, ast.expr | ast.stmt):
        yield node, functions
    for child in ast.iter_child_nodes(node):
        yield from _mutable(child, functions)


def _changes(node: Any, inside: bool) -> Iterator[tuple[str, ast.AST]]:
    """Yield the kinds of faults that can be made of a node, each with the faulty node."""

    def changed(change: Callable[[Any], object]) -> Any:
        faulty = copy.deepcopy(node)
        change(faulty)
        return faulty

    match node:
        case ast.Compare(ops=[_, _, *_]):
            yield "first comparison dropped", changed(_without_first_comparison)
            yield "last comparison dropped", changed(_without_last_comparison)
        case ast.Compare(ops=[operator]):
            for other in OTHER_COMPARISONS[type(operator)]:
                yield "comparison", changed(lambda new, to=other: setattr(new, "ops", [to()]))
        case ast.BinOp(op=operator) if type(operator) in OTHER_OPERATIONS and (
            inside and not _is_text(node.left) and not _is_text(node.right)
        ):
            other = OTHER_OPERATIONS[type(operator)]
            yield "arithmetic", changed(lambda new: setattr(new, "op", other()))
            yield "operand dropped", node.left
            yield "operand dropped", node.right
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "sign dropped", node.operand
        case ast.BoolOp(op=operator):
            other = ast.Or if isinstance(operator, ast.And) else ast.And
            yield "and, or", changed(lambda new: setattr(new, "op", other()))
            yield "first condition dropped", changed(lambda new: new.values.pop(0))
            yield "last condition dropped", changed(lambda new: new.values.pop())
        case _Condition():
            if isinstance(node.test, ast.Name | ast.Attribute | ast.Call | ast.BoolOp):
                yield "condition negated", _not(node.test)
            if not node.repeated:
                yield "condition without effect", ast.Constant(True)
                yield "condition without effect", ast.Constant(False)
        case ast.IfExp():
            yield "condition negated", changed(lambda new: setattr(new, "test", _not(new.test)))
            yield "condition without effect", node.body
            yield "condition without effect", node.orelse
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for number, each in enumerate(node.generators):
                if each.ifs:
                    yield (
                        "filter dropped",
                        changed(lambda new, at=number: new.generators[at].ifs.pop()),
                    )
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Constant(value=str(value)) if value:
            yield "text emptied", ast.Constant("")
        case ast.Slice(lower=lower, upper=upper):
            for name, bound in (("lower", lower), ("upper", upper)):
                if bound is not None:
                    more = ast.BinOp(bound, ast.Add(), ast.Constant(1))
                    yield "slice", changed(lambda new, at=name, to=more: setattr(new, at, to))
        case ast.Set() | ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()) if (
            1 < len(node.elts) <= MOST_ELEMENTS
        ):
            for number in range(len(node.elts)):
                yield "element dropped", changed(lambda new, at=number: new.elts.pop(at))
        case ast.Call():
            yield from _changed_calls(node, changed)
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield "nothing returned", ast.Return(None)
        case ast.Break():
            yield "continue for break", ast.Continue()
        case ast.Continue():
            yield "break for continue", ast.Break()
        case ast.Raise():
            yield "error swallowed", ast.Pass()
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))) if (
            name not in UNHEARD_CALLS
        ):
            yield "statement removed", ast.Pass()
        case ast.AugAssign() | ast.Delete():
            yield "statement removed", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) if inside:
            yield "statement removed", ast.Pass()


def _changed_calls(node: ast.Call, changed: Callable[..., Any]) -> Iterator[tuple[str, ast.AST]]:
    """Yield the faults of a call."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    starred = any(isinstance(each, ast.Starred) for each in node.args[:2])
    called = node.func.attr if isinstance(node.func, ast.Attribute) else name
    messages = all(map(_is_message, node.args[:2]))
    if len(node.args) > 1 and not starred and not messages and called not in SYMMETRIC:
        yield (
            "arguments swapped",
            changed(lambda new: new.args.insert(0, new.args.pop(1))),
        )
    if name in OTHER_NAMES:
        other = OTHER_NAMES[name]

        def replace(new: Any) -> None:
            new.func.id = other
            if other == "list":
                new.keywords = []

        yield ("order removed" if other == "list" else "least, most"), changed(replace)
    for number, keyword in enumerate(node.keywords):
        if keyword.arg in ORDERS:
            yield "argument dropped", changed(lambda new, at=number: new.keywords.pop(at))
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in OTHER_METHODS:
            other = OTHER_METHODS[node.func.attr]
            yield "least, most", changed(lambda new: setattr(new.func, "attr", other))
        if not _moves(node):
            yield "call dropped", node.func.value
    single = len(node.args) == 1 and not node.keywords
    if single and called not in CONVERSIONS and not messages and not _moves(node):
        yield "call dropped", node.args[0]


def _read_defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    """Yield the defaults of parameters that the function reads."""
    given = function.args
    read = {
        each.id for part in function.body for each in ast.walk(part) if isinstance(each, ast.Name)
    }
    placed = [*given.posonlyargs, *given.args][-len(given.defaults) or None :]
    for parameter, default in (
        *zip(placed, given.defaults, strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ):
        if default is not None and parameter.arg in read:
            yield default


def _moves(node: ast.Call) -> bool:
    """Return whether a call moves a tensor to a device."""
    match node:
        case ast.Call(func=ast.Attribute(attr="cpu")):
            return True
        case ast.Call(
            func=ast.Attribute(attr="to"),
            args=[ast.Name(id="device") | ast.Attribute(attr="device")],
            keywords=[],
        ):
            return True
    return False


def _is_message(node: ast.AST) -> bool:
    """Return whether a constant is text for people, of more than three words."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value.split()) > 3
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _without_first_comparison(node: ast.Compare) -> None:
    node.left = node.comparators.pop(0)
    node.ops.pop(0)


def _without_last_comparison(node: ast.Compare) -> None:
    node.comparators.pop()
    node.ops.pop()
