"""looplaw clusters: which ranks behave alike, how many of each there are, and a model for each
class."""

from __future__ import annotations

from typing import Any

import click

from ....documents.models import CLUSTERS, ClustersDocument, kernel_classes
from ....loading import expect_measurements
from ...common import debug_option, format_option, json_option, show, write_json
from ...console import guarded
from ...fitting.options import RankOptions, choice_options, rank_options
from ...fitting.ranks import clusters_table, fit_ranked


@click.command("clusters")
@click.argument("file")
@rank_options
@choice_options
@json_option
@format_option
@debug_option
def clusters_command(file: str, target: str | None, form: str, debug: bool, **given: Any) -> None:
    """Cluster the ranks in FILE (JSON Lines with "rank", or CSV; - is stdin) and model each class.

    \b
    looplaw clusters ranks.jsonl
    looplaw clusters ranks.jsonl --by iterations
    looplaw clusters ranks.jsonl --classes grid:2
    looplaw clusters ranks.csv --params p,size --values visits,time_s
    """
    with guarded(debug):
        expect_measurements(file, "clusters")
        kernels = kernel_classes(fit_ranked(file, RankOptions.of(given)))
        if target:
            write_json(ClustersDocument(CLUSTERS, kernels), target)
        if target != "-":
            show(clusters_table(kernels), form)
