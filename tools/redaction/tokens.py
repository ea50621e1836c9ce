"""The keys and tokens of well-known providers: a literal prefix and a random body.

Rule of this module: a row is data. It says how a provider's token begins, which characters follow,
and how many a complete one has; `redaction` turns all rows into one expression. A body is taken
from `SHORTEST` characters on, because a token that a log has cut short still gives most of itself
away; a body shorter than a complete one may continue on the next line, because terminals wrap.

Examples are made of pieces and of `FAKE`, so that no scanner mistakes this file for a leak.
The prefixes are those the providers document, and those that the open rule sets of secret scanners
agree on.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

SHORTEST, LONG_ENOUGH, TELLING = 14, 24, 5
"""Fewer than `SHORTEST` characters after a prefix are a word more often than a key; after a prefix
shorter than `TELLING` it takes `LONG_ENOUGH` of them."""

FAKE = "0Fa1Ke2Te3St4Va5Lu6Eq7Xz8Yw9Vu" * 6
HEX = "0fa1ce2bad3dad4bed5fed6bee7dab8c" * 5
UPPER = "FAKE2345TEST67EXAMPLE" * 8
DIGITS = "1029384756"

ALNUM = "A-Za-z0-9"
WORD = "A-Za-z0-9_"
URLSAFE = "A-Za-z0-9_-"
HEXADECIMAL = "0-9a-f"
BASE64 = "A-Za-z0-9+/="
CAPITALS = "A-Z0-9"

AFTER_A_SIGN = (
    r"(?:(?<![A-Za-z0-9])"
    r"|(?<=\\[nrtfvb])|(?<=\\x[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"  # "\\n" in a JSON text
    r"|(?<=%[0-9A-Fa-f]{2})"  # "%3D" in an address
    r"|(?<=\[m)|(?<=\[\dm)|(?<=[\[;]\d\dm)|(?<=;\dm))"  # a colour of a terminal
)
"""Where a token may begin: not within a word, but behind a sign that is written with letters."""


@dataclass(frozen=True, slots=True)
class Token:
    """One provider's way of writing a token: any of `prefixes`, then `length` of `alphabet`.

    `digit` is False for the few alphabets in which a whole token may have no digit.
    """

    kind: str
    prefixes: tuple[str, ...]
    alphabet: str
    length: int
    example: tuple[str, ...]
    counter_example: str
    digit: bool = True


TOKENS: tuple[Token, ...] = (
    # clouds
    Token("aws-key", ("AKIA", "ASIA", "ABIA", "ACCA", "A3T"), CAPITALS, 16,
          ("AK", "IA", UPPER[:16]), "the ASIAPACIFICREGIONS table", digit=False),
    Token("aws-key", ("ABSK",), BASE64, 110, ("AB", "SK", FAKE[:110]), "ABSK is a prefix"),
    Token("gcp-key", ("AIza",), URLSAFE, 35, ("AI", "za", FAKE[:35]), "AIzawa-san said hello"),
    Token("gcp-key", ("GOOG1E", "GOOG"), CAPITALS, 57, ("GO", "OG1E", UPPER[:57]), "GOOGLECHROME"),
    Token("google-oauth", ("GOCSPX-",), URLSAFE, 28, ("GOC", "SPX-", FAKE[:28]), "GOCSPX-client"),
    Token("google-oauth", ("ya29.",), URLSAFE, 60, ("ya", "29.", FAKE[:60]), "ya29.example"),
    Token("google-oauth", ("1//0",), URLSAFE, 60, ("1/", "/0", FAKE[:60]), "a 1//0 division"),
    Token("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), HEXADECIMAL, 64,
          ("dop", "_v1_", HEX[:64]), "dop_v1_token"),
    Token("alibaba-key", ("LTAI",), ALNUM, 20, ("LT", "AI", FAKE[:20]), "LTAIRPORTS"),
    Token("tencent-key", ("AKID",), ALNUM, 32, ("AK", "ID", FAKE[:32]), "AKIDNEYSTONE"),
    Token("yandex-token", ("AQVN", "t1.9eu"), URLSAFE, 35, ("AQ", "VN", FAKE[:35]), "AQVN-id"),
    Token("heroku-key", ("HRKU-",), URLSAFE, 60, ("HR", "KU-", FAKE[:60]), "HRKU-prefix"),
    Token("cloudflare-token", ("cfut_", "cfat_", "cfk_"), WORD, 40,
          ("cf", "ut_", FAKE[:40]), "cfk_something"),
    Token("cloudflare-token", ("v1.0-",), f"{HEXADECIMAL}-", 171,
          ("v1", ".0-", HEX[:24], "-", HEX[:146]), "v1.0-beta-release"),
    Token("fly-token", ("fm1_", "fm2_", "fm1r_", "fm1a_", "fo1_"), BASE64, 60,
          ("fm", "2_", FAKE[:60]), "fm2_stereo"),
    Token("railway-token", ("rnd_", "rw_"), ALNUM, 28, ("rn", "d_", FAKE[:28]), "rnd_seed_value"),
    Token("vercel-token", ("vcp_", "vck_", "vca_", "vci_", "vcr_"), ALNUM, 56,
          ("vc", "p_", FAKE[:56]), "vcr_cassette"),
    Token("netlify-token", ("nfp_", "nfc_", "nfo_", "nfu_"), ALNUM, 36,
          ("nf", "p_", FAKE[:36]), "nfc_reader_missing"),
    Token("supabase-key", ("sbp_", "sb_secret_"), WORD, 40, ("sb", "p_", HEX[:40]), "sbp_project"),
    Token("planetscale-token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), URLSAFE, 43,
          ("psc", "ale_pw_", FAKE[:43]), "pscale_branch"),
    Token("neon-key", ("napi_",), ALNUM, 64, ("na", "pi_", FAKE[:64]), "napi_create_function"),
    Token("mongodb-key", ("mdb_sa_sk_",), URLSAFE, 40, ("mdb_", "sa_sk_", FAKE[:40]), "mdb_sa_id"),
    # code hosts, registries, continuous integration
    Token("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), ALNUM, 36,
          ("gh", "p_", FAKE[:36]), "ghp_token is missing"),
    Token("github-token", ("github_pat_",), WORD, 82,
          ("github", "_pat_", FAKE[:82]), "github_pat_variable_name"),
    Token("gitlab-token",
          ("glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
           "gloas-", "glsoat-", "glffct-", "glwt-", "GR1348941"),
          f".{URLSAFE}", 20, ("gl", "pat-", FAKE[:20]), "glrt-runner-tokens"),
    Token("bitbucket-token", ("ATBB",), WORD, 32, ("AT", "BB", FAKE[:32]), "ATBBQ party"),
    Token("atlassian-token", ("ATATT3", "ATCTT3"), f"={URLSAFE}", 180,
          ("AT", "ATT3", FAKE[:180]), "ATATT3 prefix"),
    Token("npm-token", ("npm_",), ALNUM, 36, ("np", "m_", FAKE[:36]), "npm_config_registry"),
    Token("pypi-token", ("pypi-AgE",), URLSAFE, 100, ("py", "pi-AgE", FAKE[:100]), "pypi-Agent"),
    Token("docker-token", ("dckr_pat_", "dckr_oat_"), URLSAFE, 27,
          ("dckr", "_pat_", FAKE[:27]), "dckr_pat_name"),
    Token("rubygems-key", ("rubygems_",), HEXADECIMAL, 48, ("ruby", "gems_", HEX[:48]),
          "rubygems_version"),
    Token("crates-token", ("cio",), ALNUM, 32, ("ci", "o", FAKE[:32]), "cioara"),
    Token("nuget-key", ("oy2",), "a-z0-9", 43, ("oy", "2", HEX[:43]), "oy2abc"),
    Token("clojars-token", ("CLOJARS_",), HEXADECIMAL, 60, ("CLO", "JARS_", HEX[:60]),
          "CLOJARS_USERNAME"),
    Token("circleci-token", ("CCIPAT_", "CCIPRJ_"), WORD, 60, ("CCI", "PAT_", FAKE[:60]),
          "CCIPAT_name"),
    Token("buildkite-token", ("bkua_", "bkct_", "bkpat_"), ALNUM, 40, ("bk", "ua_", HEX[:40]),
          "bkua_prefix"),
    Token("sonar-token", ("sqp_", "squ_", "sqa_"), ALNUM, 40, ("sq", "p_", HEX[:40]), "squ_name"),
    Token("sourcegraph-token", ("sgp_",), WORD, 40, ("sg", "p_", HEX[:40]), "sgp_name"),
    Token("snyk-token", ("snyk_uat.", "snyk_sat."), f".{URLSAFE}", 60,
          ("snyk", "_uat.", FAKE[:60]), "snyk_uat.name"),
    Token("postman-key", ("PMAK-",), f"{HEXADECIMAL}-", 59, ("PM", "AK-", HEX[:59]), "PMAK-id"),
    Token("artifactory-token", ("AKCp",), ALNUM, 69, ("AK", "Cp", FAKE[:69]), "AKCporation"),
    Token("artifactory-token", ("cmVmdGtu",), ALNUM, 56, ("cmVm", "dGtu", FAKE[:56]), "cmVmdGtu"),
    # infrastructure
    Token("vault-token", ("hvs.", "hvb.", "hvr."), URLSAFE, 90, ("hv", "s.", FAKE[:90]),
          "hvs.example"),
    Token("tailscale-key",
          ("tskey-auth-", "tskey-api-", "tskey-client-", "tskey-scim-", "tskey-webhook-", "tskey-"),
          URLSAFE, 40, ("ts", "key-auth-", FAKE[:40]), "tskey-example-name"),
    Token("pulumi-token", ("pul-",), HEXADECIMAL, 40, ("pu", "l-", HEX[:40]), "pul-request"),
    Token("doppler-token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
          f".{URLSAFE}", 43, ("dp", ".pt.", FAKE[:43]), "dp.st.name"),
    Token("onepassword-token", ("ops_eyJ",), f"={URLSAFE}", 250, ("ops", "_eyJ", FAKE[:180]),
          "ops_eyJ"),
    Token("databricks-token", ("dapi", "dkea", "dose"), f"{HEXADECIMAL}-", 32,
          ("da", "pi", HEX[:32]), "dapi-example"),
    Token("openshift-token", ("sha256~",), URLSAFE, 43, ("sha", "256~", FAKE[:43]), "sha256~name"),
    Token("prefect-token", ("pnu_", "pnb_"), ALNUM, 36, ("pn", "u_", FAKE[:36]), "pnu_name"),
    Token("harness-token", ("pat.", "sat."), f".{URLSAFE}", 70, ("pa", "t.", FAKE[:70]),
          "pat.example.com"),
    Token("age-key", ("AGE-SECRET-KEY-1",), CAPITALS, 58, ("AGE-", "SECRET-KEY-1", UPPER[:58]),
          "AGE-SECRET-KEY-1"),
    # observability
    Token("grafana-token", ("glsa_", "glc_"), f"{WORD}+/=", 41, ("gl", "sa_", FAKE[:41]),
          "glc_position"),
    Token("newrelic-key", ("NRAK-", "NRII-", "NRIQ-", "NRRA-", "NRSP-", "NRJS-"), URLSAFE, 27,
          ("NR", "AK-", UPPER[:27]), "NRAK-prefix"),
    Token("sentry-token", ("sntrys_", "sntryu_"), f"{WORD}+/=", 64, ("snt", "rys_", FAKE[:64]),
          "sntrys_prefix"),
    Token("dynatrace-token", ("dt0c01.", "dt0s16.", "dt0s01."), f"{CAPITALS}.", 89,
          ("dt0", "c01.", UPPER[:24], ".", UPPER[:64]), "dt0c01.name"),
    Token("launchdarkly-key", ("sdk-", "mob-", "api-"), HEXADECIMAL + "-", 36,
          ("sd", "k-", "0fa1ce2b-ad3d-4ad4-bed5-fed6bee7dab8"), "sdk-feedface"),
    # models
    Token("anthropic-key", ("sk-ant-",), URLSAFE, 100, ("sk-", "ant-", "api03-", FAKE[:95]),
          "sk-ant-api"),
    Token("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"), URLSAFE, 100,
          ("sk-", "proj-", FAKE[:100]), "sk-proj-example-name"),
    Token("openrouter-key", ("sk-or-v1-", "sk-or-"), URLSAFE, 64, ("sk-", "or-v1-", HEX[:64]),
          "sk-or-something"),
    Token("langfuse-key", ("sk-lf-",), URLSAFE, 36, ("sk-", "lf-", FAKE[:36]), "sk-lf-example"),
    Token("openai-key", ("sk-",), ALNUM, 48, ("sk", "-", FAKE[:48]), "sk-learn and risk-averse"),
    Token("openai-key", ("sess-",), ALNUM, 40, ("se", "ss-", FAKE[:40]), "sess-example"),
    Token("huggingface-token", ("hf_", "api_org_"), "A-Za-z0-9", 34, ("h", "f_", FAKE[:34]),
          "hf_hub_download", digit=False),
    Token("replicate-token", ("r8_",), ALNUM, 37, ("r", "8_", FAKE[:37]), "r8_unorm"),
    Token("groq-key", ("gsk_",), ALNUM, 52, ("gs", "k_", FAKE[:52]), "gsk_name"),
    Token("perplexity-key", ("pplx-",), ALNUM, 48, ("pp", "lx-", FAKE[:48]), "pplx-online"),
    Token("xai-key", ("xai-",), ALNUM, 80, ("xa", "i-", FAKE[:80]), "xai-explainer"),
    Token("together-key", ("tgp_v1_",), URLSAFE, 43, ("tgp", "_v1_", FAKE[:43]), "tgp_v1_name"),
    Token("fireworks-key", ("fw_",), ALNUM, 24, ("f", "w_", FAKE[:24]), "fw_version"),
    Token("pinecone-key", ("pcsk_",), WORD, 70, ("pc", "sk_", FAKE[:70]), "pcsk_name"),
    Token("langsmith-key", ("lsv2_pt_", "lsv2_sk_"), WORD, 43, ("lsv2", "_pt_", HEX[:43]),
          "lsv2_pt_name"),
    Token("tavily-key", ("tvly-",), URLSAFE, 32, ("tv", "ly-", FAKE[:32]), "tvly-dev-prefix"),
    Token("firecrawl-key", ("fc-",), HEXADECIMAL, 32, ("f", "c-", HEX[:32]), "fc-cache"),
    Token("jina-key", ("jina_",), WORD, 60, ("ji", "na_", FAKE[:60]), "jina_reader"),
    Token("cursor-key", ("crsr_", "key_"), HEXADECIMAL, 64, ("cr", "sr_", HEX[:64]), "crsr_fetch"),
    # messages, payments, shops, work
    Token("slack-token",
          ("xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.",
           "xapp-"),
          f"%.{URLSAFE}", 50, ("xo", "xb-", DIGITS, "-", DIGITS, "-", FAKE[:24]), "xoxo-hugs"),
    Token("stripe-key",
          ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "sk_org_", "whsec_"), WORD,
          24, ("sk", "_test_", FAKE[:24]), "sk_test_mode_enabled"),
    Token("twilio-key", ("SK",), HEXADECIMAL, 32, ("S", "K", HEX[:32]), "SKU0fa1ce2bad3dad4b"),
    Token("mailgun-key", ("key-",), HEXADECIMAL, 32, ("ke", "y-", HEX[:32]), "key-0001"),
    Token("brevo-key", ("xkeysib-", "xsmtpsib-"), URLSAFE, 81, ("xkey", "sib-", HEX[:81]),
          "xkeysib-name"),
    Token("resend-key", ("re_",), WORD, 33, ("r", "e_", FAKE[:33]), "re_compile_pattern"),
    Token("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_"), HEXADECIMAL, 32,
          ("shp", "at_", HEX[:32]), "shpat_name"),
    Token("square-token", ("sq0atp-", "sq0csp-", "sq0idp-", "EAAA"), URLSAFE, 43,
          ("sq0", "atp-", FAKE[:43]), "sq0atp-name"),
    Token("facebook-token", ("EAA",), ALNUM, 100, ("E", "AA", FAKE[:100]), "EAAccount"),
    Token("razorpay-key", ("rzp_live_", "rzp_test_"), ALNUM, 14, ("rzp", "_live_", FAKE[:14]),
          "rzp_live_mode"),
    Token("flutterwave-key", ("FLWSECK_TEST-", "FLWSECK-"), URLSAFE, 32,
          ("FLW", "SECK-", HEX[:32]), "FLWSECK-name"),
    Token("easypost-key", ("EZAK", "EZTK"), ALNUM, 54, ("EZ", "AK", FAKE[:54]), "EZAKIEL"),
    Token("shippo-key", ("shippo_live_", "shippo_test_"), HEXADECIMAL, 40,
          ("ship", "po_live_", HEX[:40]), "shippo_live_mode"),
    Token("plaid-token", ("access-sandbox-", "access-production-", "access-development-"),
          f"{HEXADECIMAL}-", 36, ("access-", "sandbox-", "0fa1ce2b-ad3d-4ad4-bed5-fed6bee7dab8"),
          "access-sandbox-denied"),
    Token("paypal-token", ("access_token$production$", "access_token$sandbox$"),
          f"{ALNUM}$", 49, ("access_token$", "sandbox$", FAKE[:49]), "access_token$sandbox$"),
    Token("linear-key", ("lin_api_", "lin_oauth_"), ALNUM, 40, ("lin", "_api_", FAKE[:40]),
          "lin_api_client"),
    Token("notion-token", ("secret_", "ntn_"), ALNUM, 43, ("ntn", "_", FAKE[:43]),
          "secret_manager"),
    Token("figma-token", ("figd_", "figo_", "figu_"), URLSAFE, 40, ("fi", "gd_", FAKE[:40]),
          "figd_name"),
    Token("airtable-token", ("patA", "pat"), f"{ALNUM}.", 79,
          ("p", "at", FAKE[:14], ".", HEX[:64]), "patterns.example"),
    Token("typeform-token", ("tfp_",), f".{URLSAFE}", 59, ("tf", "p_", FAKE[:59]), "tfp_name"),
    Token("contentful-token", ("CFPAT-",), URLSAFE, 43, ("CF", "PAT-", FAKE[:43]), "CFPAT-name"),
    Token("hubspot-token", ("pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"), f"{HEXADECIMAL}-", 36,
          ("pat-", "na1-", "0fa1ce2b-ad3d-4ad4-bed5-fed6bee7dab8"), "pat-na1-region"),
    Token("wakatime-key", ("waka_",), f"{HEXADECIMAL}-", 36,
          ("wa", "ka_", "0fa1ce2b-ad3d-4ad4-bed5-fed6bee7dab8"), "waka_time"),
    Token("readme-key", ("rdme_",), ALNUM, 70, ("rd", "me_", HEX[:70]), "rdme_name"),
    Token("adafruit-key", ("aio_",), ALNUM, 28, ("ai", "o_", FAKE[:28]), "aio_read_event"),
    Token("nostr-key", ("nsec1",), "a-z0-9", 58, ("ns", "ec1", HEX[:58]), "nsec100"),
)  # fmt: skip


def provider_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of every provider's token in a text."""
    prefix, bodies = _expressions()
    at = 0
    while found := prefix.search(text, at):
        at = found.end()
        for shorter in range(len(found[0]), 1, -1):
            for kind, body in bodies.get(found[0][:shorter], ()):
                if match := body.match(text, found.start() + shorter):
                    yield kind, found.start(), match.end()
                    at = max(at, match.end())


@cache
def _expressions() -> tuple[re.Pattern[str], dict[str, list[tuple[str, re.Pattern[str]]]]]:
    """One expression for all prefixes, for speed, and the bodies that may follow each."""
    bodies: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for token in TOKENS:
        for prefix in token.prefixes:
            bodies.setdefault(prefix, []).append((token.kind, re.compile(_body(token, prefix))))
    # The signs are looked at last: hardly any place begins like a token.
    return re.compile(rf"(?={_tree(sorted(bodies))}){AFTER_A_SIGN}{_tree(sorted(bodies))}"), bodies


def _tree(words: list[str]) -> str:
    """An expression for any of the words, longest first, that reads each character once."""
    branches: dict[str, list[str]] = {}
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
    alternatives = [re.escape(first) + _tree(rest) for first, rest in branches.items()]
    if "" in words and alternatives:
        alternatives.append("")
    return "|".join(alternatives) if len(alternatives) < 2 else f"(?:{'|'.join(alternatives)})"


def _body(token: Token, prefix: str) -> str:
    characters = f"[{token.alphabet}]"
    least = SHORTEST if len(prefix) >= TELLING else min(token.length, LONG_ENOUGH)
    digit = rf"(?={characters}{{0,40}}[0-9])" if token.digit else ""
    whole = rf"{characters}{{{token.length},}}+"
    wrapped = (
        rf"{characters}{{8,}}+\\?\r?\n[ \t]{{0,12}}"
        rf"(?={characters}{{0,8}}[0-9]){characters}{{4,}}+"
    )
    return rf"{digit}(?:{whole}|{wrapped}|{characters}{{{least},}}+)"
