"""Parameters as scikit-learn has them: in the constructor, by name, and nothing happens until fit()."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from flaim._flaim import InputError, MethodChanges
from flaim._paths import path_text

if TYPE_CHECKING:
    from flaim._model import Model

Request = TypeVar("Request")
Self = TypeVar("Self", bound="Parameters")


class Parameters:
    """What scikit-learn's tools need of an estimator: get_params, set_params, cloning.

    A subclass takes keyword arguments only and stores each under its own name, unchanged.
    """

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters by name. `deep` makes no difference: no parameter is itself an estimator."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self: Self, **parameters: Any) -> Self:
        """Changes parameters by name; an unknown name is an error."""
        names = self._parameter_names()
        for name, value in parameters.items():
            if name not in names:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(names)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(type(self).__init__).parameters.items()
        }
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if defaults[name] is inspect.Parameter.empty or not _is_same(value, defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_clone__(self: Self) -> Self:
        return type(self)(**self.get_params())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _fitted_model(self) -> Model:
        if not hasattr(self, "model_"):
            raise InputError(f"this {type(self).__name__} is not fitted yet: call fit first")
        model: Model = self.model_
        return model


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (isinstance(one, (bool, int, float, str)) and type(one) is type(other) and one == other)


MAX_THREADS = 1024  # as the command line has it


def filled(request: Request, **fields: Any) -> Request:
    """The request with these fields set. What is of the wrong type is refused by name; numbers may be numpy's."""
    for name, value in fields.items():
        try:
            setattr(request, name, value.item() if isinstance(value, np.generic) else value)
        except TypeError:
            raise InputError(f"{name} is {value!r}, and cannot be of type {type(value).__name__}") from None
    return request


def method_changes(method: str, changes: dict[str, Any] | None, rounds: int | None) -> MethodChanges:
    """The method of that name, with what is changed in it; refuses by name what is no choice, or does not belong there."""
    if not isinstance(method, str):
        raise InputError(f"method is {method!r}, and cannot be of type {type(method).__name__}")
    result = MethodChanges(method)
    wanted = dict(changes or {})
    if rounds is not None:
        wanted["rounds"] = rounds
    for name, value in wanted.items():
        try:
            result.set(name, value.item() if isinstance(value, np.generic) else value)
        except TypeError:
            raise InputError(f"{name} is {value!r}, and cannot be of type {type(value).__name__}") from None
    return result


def thread_count(threads: int | None) -> int | None:
    if threads is None:
        return None
    count = _whole("threads", threads)
    if not 1 <= count <= MAX_THREADS:
        raise InputError(f"threads is {threads!r}; give a number from 1 to {MAX_THREADS}, or None for all cores")
    return count


def row_count(n: int) -> int:
    count = _whole("n", n)
    if count < 0:
        raise InputError(f"n is {n!r}; give a number of rows that is not negative")
    return count


def seed_of(random_state: Any) -> int | None:
    """The seed that a random_state means: None, a whole number, or a numpy generator that one is drawn from."""
    if random_state is None:
        return None
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**32, dtype=np.uint64))
    seed = _whole("random_state", random_state)
    if not 0 <= seed < 2**64:
        raise InputError(f"random_state is {random_state!r}; give a whole number from 0 to 2**64 - 1")
    return seed


def _whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, which is not a whole number") from None


def workload_argument(workload: str | os.PathLike[str] | Sequence[Sequence[str]] | None) -> str | list[list[str]]:
    """A workload as C++ takes it: the text of a specification, or the columns of each query."""
    if workload is None:
        return ""
    if isinstance(workload, (str, os.PathLike)):
        return path_text(workload)
    try:
        queries = [[query] if isinstance(query, str) else list(query) for query in workload]
        if all(isinstance(name, str) for query in queries for name in query):
            return queries
    except TypeError:
        pass
    raise InputError(f"workload is {workload!r}; give a list of column names for each marginal")
