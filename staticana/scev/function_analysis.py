"""One function under analysis: its loops, values, path conditions and nests, each derived on demand
and once."""

from __future__ import annotations

from ..ir.types import Function
from .arithmetic.float_values import FloatValues
from .conditions import Conditions
from .constants.constant_runs import ConstantRuns
from .context import FunctionContext, ProgramContext
from .executions.executions import Executions
from .loop_variables import LoopVariables
from .path_conditions import Paths
from .ranking import Ranking
from .scalar_evolution import ScalarEvolution
from .trip_counts import TripCounts


class FunctionView(FunctionContext):
    """A function with the parts of the analysis that belong to it, each made once."""

    def __init__(self, program: ProgramContext, function: Function) -> None:
        super().__init__(program, function)
        self.scalars = ScalarEvolution(self)
        self.floats = FloatValues(self)
        self.conditions = Conditions(self)
        self.paths = Paths(self)
        self.variables = LoopVariables(self)
        self.trip_counts = TripCounts(self)
        self.executions = Executions(self)
        self.ranking = Ranking(self)
        self.constant_runs = ConstantRuns(self)
