"""Ports that name a service.

Rule of this module: a number is listed only if developers take it for the service itself; any other
number after a host is one that happened to be free.
"""

WELL_KNOWN_PORTS = frozenset(
    "21 22 23 25 53 80 110 143 389 443 445 465 587 636 993 995 1433 1521 1883 2049 2181 "
    "2375 2376 2379 "
    "3306 3389 4222 5432 5601 5671 5672 5984 6333 6379 6432 6443 7474 7687 8086 8123 "
    "8125 8200 8500 9000 9042 9090 9092 9200 "
    "9300 10250 11211 11434 15672 19530 26257 27017 50051".split()
)
"""Ports that name a service. Any other number after a host is one that happened to be free."""

ROUND_PORTS = frozenset(
    "1313 3000 4000 4200 4317 4318 4321 4566 5000 5173 6006 7860 8000 8080 8088 8443 8501 "
    "8888 8983 9229".split()
)
"""Ports that name a service too, but are as often an amount: only the address of a machine or the
word `port` in front of it tells."""

PORTS_OF_SERVICES = WELL_KNOWN_PORTS | ROUND_PORTS
"""All of them, where the word `port` stands in front."""
