"""What a server tells a monitor: how many calls, how long they took, what look-ups found.

Rule: counts and times only. A label is a word of the program, so that no monitor learns a name, a
project or a text. Made with `prometheus_client`, which is imported only where somebody asked for a
port of metrics.
"""

from importlib import import_module
from typing import Any

from reflection_mcp.tools.errors import InvalidInput

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""The limits of the histogram: a look-up takes milliseconds, a loop with a model a minute."""


class Metrics:
    """Counters of one process.

    Raises:
        InvalidInput: `prometheus_client` is not installed.
    """

    def __init__(self) -> None:
        try:
            client = import_module("prometheus_client")
        except ImportError as error:
            raise InvalidInput(
                "--metrics-port needs prometheus-client", "pip install 'reflection-mcp[metrics]'"
            ) from error
        self._registry = client.CollectorRegistry()
        self._client = client
        self.content_type = str(client.CONTENT_TYPE_LATEST)

        def made(kind: Any, name: str, what: str, *labels: str, **more: Any) -> Any:
            return kind(f"reflection_{name}", what, labels, registry=self._registry, **more)

        self._calls = made(client.Counter, "calls", "Calls of tools", "tool", "result")
        self._seconds = made(
            client.Histogram, "call_seconds", "Duration of calls", "tool", buckets=SECONDS
        )
        self._lookups = made(client.Counter, "lookups", "Look-ups by what they found", "verdict")
        self._events = made(client.Counter, "events", "Events of the log", "event", "outcome")

    def call(self, tool: str, seconds: float, result: str) -> None:
        """Count a call of a tool; `result` is `ok`, `error` or `refused`."""
        self._calls.labels(tool, result).inc()
        self._seconds.labels(tool).observe(seconds)

    def event(self, event: str, facts: dict[str, Any]) -> None:
        """Count an event of the log."""
        self._events.labels(event, str(facts.get("outcome", ""))).inc()
        if event == "error_recalled":
            self._lookups.labels(facts["verdict"]).inc()

    def text(self) -> bytes:
        """All of it, in the text format of Prometheus."""
        return bytes(self._client.generate_latest(self._registry))
