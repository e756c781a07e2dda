"""Tables of profilers of graphics processors: launches are points, kernels are call paths."""

from __future__ import annotations

import pytest

from looplaw_common.errors import DataError
from modeling.readers import read_text

_NCU_HEAD = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size",'
    '"Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"'
)
_NCU_ROW = (
    '"{i}","7","a.out","127.0.0.1","void axpy<float, 2>(float *, int)","1","7","(256, 1, 1)",'
    '"({blocks}, 1, 1)","0","8.0","Command line profiler metrics","{metric}","{unit}","{value}"'
)


def _ncu(*rows: tuple[int, str, str, str]) -> str:
    lines = ["==PROF== Connected to process 7", '==PROF== Profiling "axpy": 0%....100%', _NCU_HEAD]
    for i, (blocks, metric, unit, value) in enumerate(rows):
        lines.append(_NCU_ROW.format(i=i, blocks=blocks, metric=metric, unit=unit, value=value))
    return "\n".join((*lines, ""))


NCU = _ncu(
    (64, "gpu__time_duration.sum", "usecond", "211.5"),
    (128, "gpu__time_duration.sum", "usecond", "1,205.00"),
    (128, "dram__throughput.avg.pct_of_peak_sustained_elapsed", "", "n/a"),
)
ROCPROF = """"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","lds",\
"scr","arch_vgpr","accum_vgpr","sgpr","wave_size","sig","obj","SQ_WAVES","DispatchNs","BeginNs",\
"EndNs","CompleteNs","DurationNs"
0,"axpy(float*, int) [clone .kd]",0,0,0,9,9,16384,256,0,0,20,4,16,64,"0","0",256,1,10,410,420,400
1,"axpy(float*, int) [clone .kd]",0,0,2,9,9,32768,256,0,0,20,4,16,64,"0","0",512,2,10,810,820,800
"""
ROCPROFV3 = """"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",\
"Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Workgroup_Size_Y",\
"Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 4",1,9,1,3,"axpy(float*, int)",1,1000,1400,256,1,1,16384,1,1
"KERNEL_DISPATCH","Agent 4",1,9,2,3,"axpy(float*, int)",2,2000,2800,256,1,1,32768,1,1
"""
COUNTERS = """"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id",\
"Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","Counter_Name","Counter_Value"
1,1,1,1,9,9,16384,3,"axpy(float*, int)",256,"SQ_WAVES",256.0
2,2,1,1,9,9,32768,3,"axpy(float*, int)",256,"SQ_WAVES",512.0
"""


@pytest.mark.parametrize(
    ("text", "callpath", "metric", "unit", "means"),
    [
        (NCU, "axpy<float, 2>", "time", "us", [211.5, 1205]),
        (ROCPROF, "axpy", "time", "ns", [400, 800]),
        (ROCPROF, "axpy", "SQ_WAVES", "", [256, 512]),
        (ROCPROFV3, "axpy", "time", "ns", [400, 800]),
        (COUNTERS, "axpy", "SQ_WAVES", "", [256, 512]),
    ],
)
def test_launches_of_several_grids_are_points(
    text: str, callpath: str, metric: str, unit: str, means: list[float]
) -> None:
    found = read_text(text, "profile.csv")
    (series,) = (s for s in found.series if (s.callpath, s.metric) == (callpath, metric))
    assert found.parameters == ("grid_x",)
    assert series.points.tolist() == [[64], [128]]
    assert (series.means.tolist(), series.unit) == (means, unit)


def test_lines_before_launches_tell_what_the_profiler_does_not_know() -> None:
    text = f"# n=4096\n{NCU}# n=8192\n" + _ncu((64, "gpu__time_duration.sum", "us", "9"))
    found = read_text(text, "profile.csv")
    assert found.parameters == ("n",)
    with pytest.raises(DataError, match=r"profile.csv:4: 2 cells"):
        read_text(f'{_NCU_HEAD}\n\n\n"0","7"\n', "profile.csv")


def test_a_table_without_names_of_kernels_is_refused() -> None:
    text = ROCPROF.replace('"Index","KernelName",', '"Index"","KernelName",')
    with pytest.raises(DataError, match=r"profile.csv:1: no column KernelName"):
        read_text(text, "profile.csv")
