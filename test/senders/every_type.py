"""One trace, one log and one counter with a value of every type; its argument marks them. Run by opentelemetry-instrument."""
import logging
import sys

from opentelemetry import metrics, trace

marker = sys.argv[1]
attributes = {
    "marker": marker,
    "text": "ÉCLAIR 🍰",
    "yes": True,
    "whole": 2**53 + 1,
    "half": 0.5,
    "texts": ["a", "b"],
    "wholes": [1, 2, 3],
    "empty": "",
}
tracer = trace.get_tracer("every-type", "1.2.3")
with tracer.start_as_current_span("linked") as linked:
    link = trace.Link(linked.get_span_context(), {"why": "retry"})
try:
    with tracer.start_as_current_span("parent", kind=trace.SpanKind.SERVER, attributes=attributes, links=[link]):
        logging.getLogger("every-type").error("order %d broke", 7, extra={"marker": marker})
        with tracer.start_as_current_span("child", kind=trace.SpanKind.CLIENT) as child:
            child.add_event("cache.miss", {"key": "cart:1", "size": 3})
            raise TypeError("it broke")
except TypeError:
    pass
metrics.get_meter("every-type").create_counter("every.type", "By").add(3, {"marker": marker})
metrics.get_meter("every-type").create_histogram("every.duration", "s").record(0.25, {"marker": marker})
print(f"{link.context.trace_id:032x}")
