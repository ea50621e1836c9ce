"""Where a project, an interpreter or a tool lies is no part of an error, on whatever system."""

import pytest

from reflection_mcp.tools.identity.masking.masks import masked
from reflection_mcp.tools.identity.verdicts.frames import location_of, stack_of

_HASH = "3f9a51c07be2d84613f9a51c07be2d84613f9a51c07be2d84613f9a51c07be2d"
ROOTS = (
    "/home/eva/depot", "/root/depot", "/export/home/eva/depot", "/home2/depot/public_html",
    "/Users/eva/Library/Mobile_Documents/com~apple~CloudDocs/depot",
    "/private/tmp/depot-20260101-1-x1y2z3",
    "/private/var/folders/3f/x1z9k2c51cn3fgm0000gn/T/depot",
    f"/tmp/systemd-private-{_HASH[:32]}-depot/tmp", "/tmp/nix-build-depot-2.1.drv-0/source",
    "/tmp/go-build2841937712/b001", "/var/tmp/portage/app/depot-2/work",
    f"/nix/store/{_HASH[:32]}-depot-2.1/share/depot", f"/gnu/store/{_HASH[:32]}-depot-2.1/share",
    f"/var/lib/docker/overlay2/{_HASH}/merged/srv",
    f"/var/lib/docker/volumes/{_HASH}/_data/depot",
    f"/run/containerd/io.containerd.runtime.v2.task/k8s.io/{_HASH}/rootfs/srv",
    "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/71/fs/srv",
    "/var/lib/kubelet/pods/1a9f0d5e-7b1c-41f4-8f0e-2a5b8c7d9e10/volumes/kubernetes.io~empty-dir/depot",
    f"/var/lib/flatpak/app/org.acme.Depot/x86_64/stable/{_HASH}/files", "/snap/depot/x7/depot",
    f"/home/ci/.cache/bazel/_bazel_ci/{_HASH[:32]}/sandbox/linux-sandbox/9/execroot/_main",
    f"/opt/buildagent/work/{_HASH[:16]}", "/__w/depot/depot", "/home/vsts/work/1/s",
    "/builds/acme/0/depot",
    "/data/app/~~Zk3xQ9bT7mW1rY5uC8vN2a==/com.acme.depot-Hq4sD6fG8jK1lP3oI5uY7t==/base",
    "/home/eva/R&D/depot", "/srv/(old)/[a]/depot",
    "/home/\u0438\u0432\u0430\u043d/\u0441\u043a\u043b\u0430\u0434",
    "/home/eva/\u0926\u0938\u094d\u0924\u093e\u0935\u0947\u091c\u093c",
    "/Users/jose\u0301/Co\u0301digo", "/Users/eva/\U0001f680_depot", "/home/eva//depot/",
    "/home/eva/x/../depot/.", "~/depot", "~eva/depot", "$HOME/depot", "${WORKSPACE}/depot",
)  # fmt: skip
WINDOWS = (
    "C:\\Users\\eva\\source\\depot", "D:\\a\\depot\\depot", "Z:\\depot", "%USERPROFILE%\\depot",
    "C:\\Users\\EVALIN~1\\AppData\\Local\\Temp\\depot", f"C:\\BuildAgent\\work\\{_HASH[:16]}",
    "C:\\Users\\eva\\AppData\\Local\\Temp\\{1A9F0D5E-7B1C-41F4-8F0E-2A5B8C7D9E10}",
    "\\\\?\\C:\\Users\\eva\\depot", "\\\\server1\\share$\\depot",
    "\\\\wsl.localhost\\Ubuntu\\home\\depot", "\\\\wsl$\\Ubuntu\\home\\eva\\depot",
    "C:\\\\Users\\\\eva\\\\depot",
)  # fmt: skip
PLACES = [*((root, "/") for root in ROOTS), *((root, "\\") for root in WINDOWS)]


@pytest.mark.parametrize(("root", "between"), PLACES, ids=[root for root, _ in PLACES])
def test_a_message_is_the_same_wherever_the_project_lies(root: str, between: str) -> None:
    def below(*names: str) -> str:
        return between.join((root, *names))

    assert masked([f"cannot read '{below('src', 'stock.toml')}'"]) == ["cannot read 'stock.toml'"]
    assert masked([f"{below('src', 'stock.c')}:7: error: no type"]) == ["stock.c: error: no type"]
    assert masked([f"no plugin for 'x' in '{below('src')}'"]) == ["no plugin for 'x' in '<path>'"]
    assert masked([f"there is no pom in this directory ({below('src')})"]) == [
        "there is no pom in this directory (<path>)"
    ]
    assert location_of(stack_of([f'  File "{below("src", "stock.py")}", line 3, in sell'])) == (
        "stock.py:sell"
    )


@pytest.mark.parametrize(
    ("line", "mask"),
    [
        ("cannot read 'src/org.acme.v2/stock.toml'", "cannot read 'stock.toml'"),
        ("cannot read /srv/stock.toml.bak", "cannot read stock.toml.bak"),
        ("/srv/a/bin/sell: no stock", "sell: no stock"),
        ("spawn /srv/a/tools/bin/sell failed", "spawn sell failed"),
        ("GET /orders/list failed", "get <path> failed"),
        ("GET /orders failed", "get /orders failed"),
        ("bad pattern '\\\\d\\\\w'", "bad pattern '\\\\d\\\\w'"),
        ("bad escape \\d in a\\b", "bad escape \\d in a\\b"),
        ("'stock & co' or a&b", "'stock & co' or a&b"),
        ("cost is ${PRICE} of $PRICE", "cost is ${price} of $price"),
    ],
)
def test_what_is_no_place_of_a_project_stays(line: str, mask: str) -> None:
    assert masked([line]) == [mask]


@pytest.mark.parametrize(
    "path",
    [
        "C:\\ProgramData\\anaconda3\\Lib\\json\\decoder.py",
        "C:\\Users\\eva\\miniconda3\\envs\\ml\\Lib\\json\\decoder.py",
        "C:\\Program Files\\WindowsApps\\PythonSoftwareFoundation.Python.3.11_x64\\Lib\\json\\x.py",
        "/opt/pypy3.10/lib/pypy3.10/json/decoder.py",
        "/srv/shop/.venv/lib64/python3.11/json/decoder.py",
        "/opt/hostedtoolcache/go/1.22.1/x64/src/net/http/server.go",
        "/home/eva/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/option.rs",
    ],
)
def test_the_library_of_a_language_is_foreign_wherever_it_was_installed(path: str) -> None:
    assert location_of(stack_of([f'  File "{path}", line 3, in decode'])) is None


@pytest.mark.parametrize(
    "path", ["/home/eva/go/src/shop/cart.py", "/srv/python-shop/lib/cart.py", "C:\\Lib\\cart.py"]
)
def test_code_of_the_user_in_a_directory_with_such_a_name_is_not(path: str) -> None:
    assert location_of(stack_of([f'  File "{path}", line 3, in sell'])) == "cart.py:sell"


@pytest.mark.parametrize(
    "linker",
    [
        "/usr/bin/ld", "ld.lld-17", "/usr/bin/ld.gold", "mold", "rust-lld", "wasm-ld",
        "/opt/tools/aarch64-none-elf/bin/ld", "aarch64-none-elf-ld", "riscv64-unknown-elf-ld.bfd",
        "/usr/lib/gcc/x86_64-linux-gnu/13/../../../../x86_64-linux-gnu/bin/ld",
        "/usr/lib/gcc/x86_64-linux-gnu/13/ld", "C:/msys64/ucrt64/bin/ld.exe",
        f"/nix/store/{_HASH[:32]}-binutils-2.41/bin/ld",
    ],
)  # fmt: skip
def test_a_linker_says_the_same_under_any_name(linker: str) -> None:
    assert masked([f"{linker}: stock.o: bad reloc"]) == ["ld: stock.o: bad reloc"]


@pytest.mark.parametrize(
    ("line", "mask"),
    [
        ("x86_64-w64-mingw32-gcc-12: fatal error: no input files", "fatal error: no input files"),
        ("C:\\Tools\\node.exe: bad option: --x", "node: bad option: --x"),
        ("venv/bin/python3.11: no module named stock", "python: no module named stock"),
        ("error: linking with `clang-17` failed", "error: linking with 'ld' failed"),
        ("build: all is bad", "build: all is bad"),
        ("shop-gcc is missing", "shop-gcc is missing"),
    ],
)
def test_a_tool_that_builds_keeps_its_name_only(line: str, mask: str) -> None:
    assert masked([line]) == [mask]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/srv/shop/node_modules/lodash/get.js", "lodash/get.js"),
        ("/srv/shop/node_modules/@acme/stock/get.js", "@acme/stock/get.js"),
        ("/srv/shop/node_modules/get.js", "get.js"),
        ("C:\\shop\\my_node_modules\\stock\\get.js", "get.js"),
        ("/var/tmp/tmpq8x1k2zz.json", "<tmp>"),
        ("/srv/shop/templates.json", "templates.json"),
        ("/srv/shop/tmpl.js", "tmpl.js"),
    ],
)
def test_a_file_keeps_its_name_and_the_package_it_is_in(path: str, name: str) -> None:
    assert masked([f"bad export in {path}"]) == [f"bad export in {name}"]
