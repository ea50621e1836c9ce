"""Names that an answer writes as code, held against a listing of them."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.artefacts import listings
from reflection_mcp.tools.judging.artefacts.artefact_check import MOST_FAULTS, check
from reflection_mcp.tools.judging.artefacts.mentions import calls
from reflection_mcp.tools.judging.budget import Budget
from reflection_mcp.tools.judging.case import Case
from tests.requirements import requirement
from tests.rows import each_row

HELP = """usage: shopctl [-h] [--config FILE] COMMAND ...

Manage the shop.

options:
  -h, --help       show this help message and exit
  --config FILE    settings file
  --dry-run        only print
  --format {json,table}

commands:
  list     list the items
  sync     synchronise the stock
  export   write a file

A longer text ends the list.
"""
PAGE = """# shopctl sync

> Synchronise the stock.

- Synchronise one store:

`shopctl sync {{store}} --since {{date}}`

- All of them:

`shopctl sync {{[-a|--all-stores]}}`

- Without changes:

`shopctl sync --dry-run`
"""
MANUAL = "NAME\n    shopctl - manage the shop\n\n    --config FILE\n    --all\n    --dry-run\n"
TREE = """shop/
├── cart/
│   ├── __init__.py
│   ├── price.py    # prices
│   └── views.py
├── tests/
│   └── test_price.py
└── pyproject.toml"""
INDENTED = (
    "src/\n  app.py\n  db/\n    session.py\n    models.py\ntests/\n  test_app.py\nREADME.md\n"
)
FILES = "./src/app.py\n./src/db/session.py\n./src/db/models.py\n./tests/test_app.py\n./docs/a.md\n"
SQL = """CREATE TABLE users (id INT PRIMARY KEY, email TEXT, created_at TIMESTAMP);
CREATE TABLE "posts" (
  id INT, -- the key
  user_id INT REFERENCES users(id), title TEXT, PRIMARY KEY (id, user_id)
);
ALTER TABLE posts ADD COLUMN body TEXT;"""
GROUPED = """USAGE
  gh pr <command> [flags]

GENERAL COMMANDS
  create:        Create a pull request
  list:          List pull requests
  status:        Show their status

FLAGS
      --draft    Draft
      --web      Open
      --repo     Another one
"""
DESCRIBED = """                Table "public.invoices"
   Column    |  Type   | Nullable
-------------+---------+----------
 id          | bigint  | not null
 customer_id | bigint  |
 amount      | numeric |
"""
LOG = """Traceback (most recent call last):
  File "shop/cart/price.py", line 41, in total
    return rate * n
TypeError: unsupported operand"""
TESTS = """FAILED tests/test_price.py::test_total - assert 1 == 2
FAIL src/cart.test.ts:54:3
1 failed, 3 passed in 0.1s"""


SYNC = "SYNOPSIS\n  aws s3 sync <Path> <Uri>\n  [--dryrun]\n  [--quiet]\n  [--delete]\n"
SIGNATURE = "async def fetch(url: str, *, timeout: float = 3.0, retries: int = 2) -> bytes: ..."
NESTED_FILES = "cmd/\n  server/main.go\n  worker/main.go\ninternal/\n  queue/redis.go\ngo.mod\n"


def found(
    answer: str, context: str, question: str = "", *, project: frozenset[str] | None = None
) -> list[Check]:
    return list(check(Case(question=question, answer=answer, context=context, project=project)))


USAGES = """usage: git stash list [<options>]
   or: git stash push [--staged] [--quiet] [--message <text>]
   or: git stash pop [--index] [<stash>]
"""
CLASS = """class Retry:
    def __init__(self, tries: int = 3): ...
    def run(self, call): ...
"""


@requirement("artefacts:listing")
@each_row(
    ("context", "question", "answer", "kind", "name"),
    [
        (HELP, "", "```bash\nshopctl export --output-format csv\n```", "option", "--output-format"),
        (HELP, "", "```\nsudo shopctl sync \\\n  --fast\n```", "option", "--fast"),
        (HELP, "", "Use `--no-write`.", "option", "--no-write"),
        (USAGES, "", "`git stash push --keep -m x`", "option", "--keep"),
        (CLASS, "", "`Retry(tries=3, wait=1)` waits.", "parameter", "wait"),
        (SQL, "", "```sql\nSELECT id, SUM(a * score) AS s FROM users\n```", "column", "a"),
        (DESCRIBED, "", "```sql\nSELECT i.total FROM invoices i\n```", "column", "total"),
        (PAGE, "", "Run `shopctl sync --everything`.", "option", "--everything"),
        (MANUAL, "", "Run `shopctl --everything`.", "option", "--everything"),
        (TREE, "Where is it?", "In `cart/pricing.py`.", "path", "cart/pricing.py"),
        (TREE, "", "See shop/web/views.py for it.", "path", "shop/web/views.py"),
        (INDENTED, "", "In `src/database/session.py`.", "path", "src/database/session.py"),
        (FILES, "", "In `src/db/orders.py:12`.", "path", "src/db/orders.py"),
        (TREE, "Add a view.", "Change `web/cart/views.py`.", "path", ""),
        (TREE, "Add a view.", "Change `tests/views.py`.", "path", "tests/views.py"),
        (
            SQL,
            "",
            "```sql\nSELECT u.name FROM users u JOIN posts p ON p.author_id = u.id\n```",
            "column",
            "name",
        ),
        (SQL, "", "```sql\nSELECT id, name FROM users ORDER BY id;\n```", "column", "name"),
        (SQL, "", "```sql\nINSERT INTO posts (id, text) VALUES (1, 'a')\n```", "column", "text"),
        (LOG, "Where does it fail?", "In `shop/cart/discount.py`.", "test", ""),
        (TESTS, "", "`tests/test_user.py::test_login` failed.", "test", ""),
        (TESTS, "", "`test_login` failed.", "test", "test_login"),
        (TESTS, "Why?", "The failure is in `src/user.test.ts`.", "test", ""),
        (SQL, "", "`SELECT id, name FROM users` lists them.", "column", "name"),
        (NESTED_FILES, "", "In `internal/queue/rabbit.go`.", "path", "internal/queue/rabbit.go"),
        (SYNC, "", "```sh\naws s3 sync . s3://b --prune\n```", "option", "--prune"),
        (SIGNATURE, "", "```python\nfetch(u, timeout_ms=5)\n```", "parameter", "timeout_ms"),
        (SIGNATURE, "", "`fetch(u, headers=h)` sends them.", "parameter", "headers"),
    ],
)
def test_a_name_that_the_listing_lacks_is_found(
    context: str, question: str, answer: str, kind: str, name: str
) -> None:
    first = next(iter(found(answer, context, question)), None)
    if name or kind == "test":
        assert first is not None
        assert (first.kind, first.severity) == (f"artefact:{kind}", "hard")
        assert name in first.quote
        assert first.quote in first.why
        assert answer[first.start : first.end] == first.quote
    else:
        assert first is None  # a file that the answer may be about to make


@requirement("artefacts:listing")
@each_row(
    ("context", "question", "answer"),
    [
        (HELP, "", "```bash\nshopctl --config my.toml export --format json --help\n```"),
        (HELP, "", "There is no `--csv`; pipe it: `shopctl export | jq --raw-output .`"),
        (HELP, "", "Use `--form json`, or `shopctl list -- --odd` and `curl --fail x`."),
        (HELP, "With --odd?", "```bash\n# shopctl --comment\nshopctl list --odd\n```"),
        (HELP, "", "```python\nshopctl --strange\n```"),
        (USAGES, "", "`git stash push --staged --quiet`"),
        (CLASS, "", "`Retry(tries=3)` and `r.run(wait=1)` do."),
        (SQL, "", "```sql\nSELECT DISTINCT id, COUNT(*) AS n FROM users\n```"),
        (GROUPED, "", "```\ngh pr create --draft --web\ngh issue list\n```"),
        (DESCRIBED, "", "```sql\nSELECT i.id, i.amount FROM invoices i\n```"),
        ("# notes\n\nUse --a-b, --c-d, --e-f.", "", "Run `notes --other`."),
        ("usage: notes [--only]", "", "Run `notes --other`, or `notes go`."),
        (TREE, "", "In `cart/price.py`; `./shop/cart/views.py:10` calls it."),
        (TREE, "", "Create `cart/discount.py`, and see `https://x.org/a/b.py`."),
        (TREE, "Add discounts.", "1. `cart/discount.py`: the rules."),
        (TREE, "", "See `path/to/file.py` and `other/file.py`."),
        ("one\ntwo words\nthree\nfour five", "", "In `cart/discount.py`."),
        (
            SQL,
            "",
            "```sql\nALTER TABLE users ADD COLUMN name TEXT;\nSELECT u.name FROM users u\n```",
        ),
        (SQL, "", "```sql\nSELECT p.title AS headline, count(*) n FROM posts p -- p.nothing\n```"),
        (
            SQL,
            "",
            "```sql\nWITH t AS (SELECT user_id, count(*) AS n FROM posts GROUP BY user_id)\n"
            "SELECT t.n, u.email FROM t JOIN users u ON u.id = t.user_id AND u.email <> 'x.y'\n```",
        ),
        (SQL, "", "```sql\nINSERT INTO logs (x) VALUES (1)\n```\n```sql\nSELECT z FROM logs\n```"),
        (SQL, "", "```sql\nSELECT x.name FROM users x, (SELECT 1 FROM posts x) y\n```"),
        (SQL, "", "```js\nusers.name\n```\nIt is `posts.body`, `a.b`, `users.*`."),
        ("CREATE TABLE a (x INT, CREATE TABLE b (y INT);", "", "```sql\nSELECT b.z FROM b\n```"),
        ("CREATE TABLE broken (id INT", "", "```sql\nSELECT b.x FROM broken b\n```"),
        (LOG, "Why does it fail?", "`shop/cart/price.py:41`; perhaps `shop/config.py` is wrong."),
        (LOG, "Why does it fail?", "`rate` is text; `a.b` too. `path/to/x.py` fails."),
        (TESTS, "", "`test_total` failed; `test_user` passes; `src/cart.test.ts:54` fails."),
        (LOG, "Why does it fail?", "`shop/rates.py` sets the rate as text."),
        (TESTS, "Fix it.", "I changed `tests/test_user.py`."),
        (TESTS, "", "`test_login` failed in the old version."),
        (SQL, "", "`SELECT id, email FROM users`, or perhaps `SELECT name FROM users`."),
        (SYNC, "", "```sh\naws s3 sync . s3://b --delete\naws ec2 run --image-id x\n```"),
        (
            SIGNATURE,
            "",
            "```python\nfetch(u, timeout=5)\nclient.fetch(u, proxy=p)\nget(u, a=1)\n```",
        ),
        (SIGNATURE, "", "```python\ndef fetch(u, proxy=None): ...\nfetch(u, proxy=p)\n```"),
        (SIGNATURE, "Add a proxy.", "```python\nfetch(u, proxy=p)\n```"),
        ("def fetch(url, **options): ...", "", "`fetch(u, proxy=p)`"),
        ("def fetch(url", "", "`fetch(u, proxy == p)`"),
        ("def fetch(a, b=fn load(c)): ...", "", "`fetch(u, b=p)`"),
    ],
)
def test_what_is_known_proposed_or_denied_is_no_fault(
    context: str, question: str, answer: str
) -> None:
    assert [(one.kind, one.quote) for one in found(answer, context, question)] == []


def test_without_work_that_is_left_no_call_is_read() -> None:
    answer = "`fetch(u, headers=h)` sends them."
    assert list(check(Case(answer=answer, context=SIGNATURE, budget=Budget(0)))) == []


def test_without_a_listing_nothing_is_said() -> None:
    assert found("`a/b.py`, `--fast`", "") == []
    assert found("`a/b.py`, `--fast`", "A text about nothing.") == []


@requirement("artefacts:project")
def test_a_file_that_the_project_has_elsewhere_is_found() -> None:
    project = frozenset(("src/db/session.py", "src/app.py", "tests/test_app.py"))
    (one,) = found("It is in `src/database/session.py`.", "", project=project)
    assert (one.kind, one.quote) == ("artefact:path", "src/database/session.py")
    assert "project" in one.why
    assert (
        found("It is in `src/database/orders.py`, or `lib/session.py`.", "", project=project) == []
    )
    assert found("It is in `src/db/session.py`.", "", project=project) == []
    assert found("It is in `src/database/session.py`.", "", project=frozenset()) == []


def test_each_name_is_told_once_and_not_too_many() -> None:
    many = " ".join(f"`--job-{n}`" for n in range(30))
    assert len(found(f"`--fast` `--fast` {many}", HELP)) == MOST_FAULTS


def test_no_more_pieces_are_read_than_anybody_writes() -> None:
    assert found("\n".join(["`shopctl sync --dry-run` `shopctl x`"] * 400), HELP) == []


def test_the_family_is_one_of_the_answer_checks() -> None:
    kinds = [one.kind for one in check_answer("", "Run `shopctl sync --fast`.", HELP)]
    assert "artefact:option" in kinds


def test_the_commands_of_a_line_are_told_apart() -> None:
    line = "sudo A=1 /usr/bin/git log --oneline | head -n 2 && echo 'x --y' ; "
    assert [*calls(line)] == [("git", "log", "--oneline"), ("head", "-n", "2"), ("echo", "\u2026")]


@each_row(
    "text",
    [
        HELP,
        PAGE,
        GROUPED,
        TREE,
        SQL,
        DESCRIBED,
    ],
)
def test_a_listing_is_read_as_one_kind_only(text: str) -> None:
    read = (
        listings.page_of(text) is not None,
        bool(listings.tree_of(text)),
        bool(listings.schema_of(text)),
    )
    assert sum(read) == 1


@given(
    st.text(alphabet="`/.-ab_: \n$|├(){}=,", max_size=300), st.sampled_from([HELP, TREE, SQL, LOG])
)
def test_every_finding_quotes_the_answer(answer: str, context: str) -> None:
    for one in found(answer, context):
        assert one.start is not None
        assert one.quote


@each_row(
    ("sql", "missing"),
    [
        ("SELECT * FROM orders WHERE totl > 3;", ["totl"]),
        ("UPDATE orders SET total = 3 WHERE placed IS NULL;", ["placed"]),
        ("SELECT * FROM orders WHERE rowid > 3;", []),
        ("CREATE FUNCTION f(least INT) AS $$ SELECT * FROM orders WHERE least < 3 $$;", []),
        ("SELECT * FROM (SELECT 1 AS n FROM orders) t WHERE n = 1;", []),
    ],
)
def test_a_column_that_one_table_is_asked_by_is_looked_for(sql: str, missing: list[str]) -> None:
    schema = "CREATE TABLE orders (id INT, total INT);"
    answer = f"```sql\n{sql}\n```"
    found = check(Case(question="Which?", answer=answer, context=schema))
    assert [one.stated for one in found if one.status == "wrong"] == missing
