"""One word for the kind of trouble."""

from reflection_mcp.tools.learning.category import LOOKED_AT, categorise
from tests.rows import each_row


def test_a_text_that_shows_no_kind_of_trouble_is_unknown() -> None:
    assert categorise("the kettle is blue") == "unknown"


@each_row(
    ("text", "category"),
    [
        ("HTTP 404", "not_found"),
        ("HTTP/1.1 503 Service Unavailable", "network"),
        ("status code: 401", "auth"),
        ("it costs 404 dollars", "unknown"),
    ],
)
def test_a_number_is_a_status_only_where_it_is_called_one(text: str, category: str) -> None:
    assert categorise(text) == category


@each_row(
    ("text", "category"),
    [
        ("OSError: [Errno 122] Disk quota exceeded: '/home/a/b.txt'", "resource"),
        ("cp: error writing 'b.iso': Disk quota exceeded", "resource"),
        ("EDQUOT: write failed", "resource"),
        ("inode quota exceeded for user 1000", "resource"),
        ("memory quota reached: the process was stopped", "resource"),
        ("file descriptor quota exceeded", "resource"),
        ("quota exceeded on device /dev/sda1", "resource"),
        ("QuotaExceededError: Failed to execute 'setItem' on 'Storage'", "resource"),
        ('pods "web-1" is forbidden: exceeded quota: compute, requested: pods=1', "resource"),
        ("OSError: [Errno 23] Too many open files in system", "resource"),
        ("ERROR 1040 (HY000): Too many connections", "resource"),
        ("FATAL: sorry, too many clients already", "resource"),
        ("FATAL: remaining connection slots are reserved for superusers", "resource"),
        ("fork: Cannot allocate memory", "resource"),
        ("API quota exceeded: 10 calls a minute", "rate_limit"),
        ("Quota exceeded for quota metric 'Read requests' per minute", "rate_limit"),
        ("The daily quota has been exhausted", "rate_limit"),
        ("You exceeded your current quota, please check your plan", "rate_limit"),
        ("Error code: 429 - insufficient_quota", "rate_limit"),
        ("status 429", "rate_limit"),
        ("too many concurrent requests for this model", "rate_limit"),
        ("the array holds 429 files", "unknown"),
    ],
)
def test_a_quota_of_the_machine_is_a_resource_and_one_of_requests_a_rate_limit(
    text: str, category: str
) -> None:
    assert categorise(text) == category


def test_of_a_long_text_both_ends_are_looked_at() -> None:
    filler = "x" * (2 * LOOKED_AT)
    assert categorise("KeyError: 'a'" + filler) == "data"
    assert categorise(filler + "KeyError: 'a'") == "data"
