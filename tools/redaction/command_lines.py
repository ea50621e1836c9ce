"""Secrets found by their position on a command line.

Rule of this module: an option means a secret only after the name of a command that takes one so.
"""

from reflection_mcp.tools.redaction.form import QUOTE, Form
from reflection_mcp.tools.redaction.values import Filter

COMMAND_LINES: tuple[Form, ...] = (
    Form(
        "cli-password",
        (" -p",),
        rf" -p{QUOTE}?(?P<secret>[^\s\"'=-][^\s\"']{{2,128}})",
        ("mysql -u root -pFa", "ke1", " db"),
        "mysql -u root -p db",
        near=("mysql", "mariadb"),
    ),
    Form(
        "cli-password",
        (" -p ", " -pw "),
        rf" -(?:p|pw) {{1,4}}{QUOTE}?(?P<secret>[^\s\"'-][^\s\"']{{3,128}})",
        ("sshpass -p ", "swordfish", " ssh host"),
        "psexec -u User -p $Password -i",
        Filter.PASSWORD,
        near=("sshpass", "docker login", "podman login", "az login", "plink", "pscp", "psexec",
              "helm registry login", "twine", "mongosh", "mongodump", "mongorestore",
              "mongoexport", "mongoimport"),
    ),
    Form(
        "cli-password",
        (" -p",),
        rf" -P {{0,4}}{QUOTE}?(?P<secret>[^\s\"'-][^\s\"']{{3,128}})",
        ("sqlcmd -S db -U sa -P '", "swordfish", "' -Q x"),
        "mosquitto_pub -h broker -p 1883 -P $PASSWORD",
        Filter.PASSWORD,  # the small letter is a port or a packet size to these
        near=("sqlcmd", "osql ", "bcp ", "tsql ", "ipmitool", "mosquitto_"),
    ),
    Form(
        "cli-password",
        (" -w ", " -a "),
        rf" -[wa] {{1,4}}{QUOTE}?(?P<secret>[^\s\"'-][^\s\"']{{3,128}})",
        ("redis-cli -h cache -a ", "fake-Pa55", " ping"),
        "redis-cli -a host",
        Filter.MIXED,
        near=("redis-cli", "ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami"),
    ),
    Form(
        "network-password",
        ("enable password ", "enable secret ", "snmp-server community ", " password 7 ",
         " password 0 ", " secret 5 ", " secret 9 ", "pac key ", " key 7 "),
        r"(?i:enable (?:password|secret)|snmp-server community| (?:password|secret|key)|pac key) "
        r"(?:level \d{1,2} )?(?:\d )?(?P<secret>\S{4,128})",
        ("username app password 7 ", "0822455D0A16"),
        "enable password authentication, then change the password 7 days later",
        Filter.MIXED,
    ),
    Form(
        "cli-password",
        (" -u", "--user", "--proxy-user", " -a "),
        rf" ?(?:-u|--user|--proxy-user|-a)[ =]{{0,2}}{QUOTE}?[^\s:\"'%/]{{1,128}}[:%]"
        r"(?P<secret>[^\s\"']{3,256})",
        ("curl -u app:", "fake-Pa55", " https://x.example"),
        "docker run --user 1000:1000 image",
        near=("curl", "http ", "https ", "smbclient", "rpcclient", "wget", "httpie"),
    ),
    Form(
        "cli-password",
        ("convertto-securestring", "net use"),
        rf"(?i:convertto-securestring\s+(?:-string\s+)?{QUOTE}"
        r"|net use [^\n]{1,120}?/user:\S{1,80} )"
        r"(?P<secret>[^\s\"'-][^\"'\s]{3,128})",
        ("ConvertTo-SecureString '", "fake-Pa55", "' -AsPlainText"),
        "ConvertTo-SecureString $password -AsPlainText",
    ),
)  # fmt: skip
