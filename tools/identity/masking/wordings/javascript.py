"""Messages of JavaScript's engines, tools and libraries that differ by version or by browser.

Rule of this module: see the package; the name of each row says who words it which way.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_WITH_A_SUGGESTION = {"2551": "2339", "2552": "2304", "2724": "2305"}


def _without_suggestion(match: Match) -> str:
    return f"TS{_WITH_A_SUGGESTION[match[1]]}"


def _script_timeout(match: Match) -> str:
    return f"Exceeded timeout for a {'hook' if 'hook' in match[0].casefold() else 'test'}"


def _browser(match: Match) -> str:
    return f"Could not find browser {(match[1] or match[2])[:5]}"


JAVASCRIPT: tuple[Rule, ...] = (
    Rule(
        "property of undefined, in Firefox",
        "can't access property",
        r"can't access property \"([^\"\n]{1,100})\", [^\n]{1,200}? is (undefined|null)\b",
        r"Cannot read properties of \2 (reading '\1')",
        'TypeError: can\'t access property "map", a.rows is undefined',
        "TypeError: Cannot read properties of undefined (reading 'map')",
        "can't access property a",
    ),
    Rule(
        "name that is not defined, in Safari",
        "can't find variable",
        r"Can't find variable: ([\w$]{1,100})",
        r"\1 is not defined",
        "ReferenceError: Can't find variable: total",
        "ReferenceError: total is not defined",
        "Can't find it",
    ),
    Rule(
        "request that failed, by browser",
        "attempting to fetch resource|typeerror: load failed",
        r"(?<=TypeError: )(?:NetworkError when attempting to fetch resource|Load failed\b)",
        "Failed to fetch",
        "TypeError: NetworkError when attempting to fetch resource.",
        "TypeError: Failed to fetch.",
        "Error: Load failed",
    ),
    Rule(
        "recursion that is too deep, in Firefox",
        "too much recursion",
        r"InternalError: too much recursion",
        "RangeError: Maximum call stack size exceeded",
        "InternalError: too much recursion",
        "RangeError: Maximum call stack size exceeded",
        "it was too much recursion",
    ),
    Rule(
        "circle in what becomes JSON, by browser",
        "cyclic object value|cannot serialize cyclic",
        r"cyclic object value|JSON\.stringify cannot serialize cyclic structures",
        "Converting circular structure to JSON",
        "TypeError: cyclic object value",
        "TypeError: Converting circular structure to JSON",
        "a cyclic object",
    ),
    Rule(
        "import outside a module, in Firefox",
        "import declarations may only appear",
        r"import declarations may only appear at top level of a module",
        "Cannot use import statement outside a module",
        "SyntaxError: import declarations may only appear at top level of a module",
        "SyntaxError: Cannot use import statement outside a module",
        "import declarations",
    ),
    Rule(
        "observer of sizes that never ends, by version of Chrome",
        "resizeobserver loop",
        r"ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)",
        "ResizeObserver loop",
        "ResizeObserver loop limit exceeded",
        "ResizeObserver loop",
        "ResizeObserver loops",
    ),
    Rule(
        "word that was not expected, since V8 11",
        "unexpected identifier '",
        r"\bUnexpected identifier ('[^'\n]{1,100}')",
        r"Unexpected identifier (\1)",
        "SyntaxError: Unexpected identifier 'total'",
        "SyntaxError: Unexpected identifier ('total')",
        "SyntaxError: Unexpected identifier",
    ),
    Rule(
        "promise that nobody caught, before Node.js 15",
        "unhandledpromiserejectionwarning: ",
        r"(?m)^[ \t]*(?:\(node:\d{1,9}\) )?UnhandledPromiseRejectionWarning: (?=\w)",
        "",
        "(node:411) UnhandledPromiseRejectionWarning: Error: no rates",
        "Error: no rates",
        "UnhandledPromiseRejectionWarning",
    ),
    Rule(
        "module that must be imported, before Node.js 16",
        "must use import to load es module",
        r"Must use import to load ES Module: (\S{1,300})",
        r"require() of ES Module \1 not supported",
        "Error [ERR_REQUIRE_ESM]: Must use import to load ES Module: /app/a.js",
        "Error [ERR_REQUIRE_ESM]: require() of ES Module /app/a.js not supported",
        "use import to load a module",
    ),
    Rule(
        "who required a module that must be imported, since Node.js 16",
        "require() of es module",
        r"(require\(\) of ES Module \S{1,300}) from \S{1,300} not supported",
        r"\1 not supported",
        "require() of ES Module /app/a.js from /app/b.js not supported.",
        "require() of ES Module /app/a.js not supported.",
        "require() of ES Module /app/a.js",
    ),
    Rule(
        "scope in which there is no require, since Node.js 14",
        "is not defined in es module scope",
        r"(?<=is not defined) in ES module scope\b[^\n]{0,200}",
        "",
        "ReferenceError: require is not defined in ES module scope, you can use import instead",
        "ReferenceError: require is not defined",
        "it is not in scope",
    ),
    Rule(
        "host and port behind a name that was not found, before Node.js 13",
        "getaddrinfo enotfound|getaddrinfo eai_again",
        r"(getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S{1,200})) \2:\d{1,5}\b",
        r"\1",
        "Error: getaddrinfo ENOTFOUND db.example db.example:5432",
        "Error: getaddrinfo ENOTFOUND db.example",
        "getaddrinfo ENOTFOUND a b",
    ),
    Rule(
        "argument that is undefined, before Node.js 12",
        "received type undefined",
        r"(?<=Received )type undefined",
        "undefined",
        'The "path" argument must be of type string. Received type undefined',
        'The "path" argument must be of type string. Received undefined',
        "of type undefined",
    ),
    Rule(
        "type that axios gives its error, since version 0.27",
        "request failed with status code|error: timeout of ",
        r"\b(?:Axios)?Error: (?=Request failed with status code|timeout of \d)",
        "",
        "AxiosError: Request failed with status code 404",
        "Request failed with status code 404",
        "AxiosError: Network Error",
    ),
    Rule(
        "package that is not in a registry, by version of npm",
        "is not in the npm registry|is not in this registry",
        r"is not in (?:the npm|this) registry",
        "is not in the registry",
        "npm error 404  'shopp@*' is not in this registry.",
        "npm error 404  'shopp@*' is not in the registry.",
        "is not in the registry",
    ),
    Rule(
        "npm that never ended, by version",
        "never called",
        r"(?:cb\(\)|Exit handler) never called",
        "Exit handler not called",
        "npm ERR! cb() never called!",
        "npm ERR! Exit handler not called!",
        "it was never called",
    ),
    Rule(
        "lock file that does not fit, by version of npm",
        "in sync",
        r"['`]?\b(?:npm ci|cipm)\b['`]? (?=can only install)",
        "npm clean-install ",
        "cipm can only install packages when your package.json and package-lock.json are in sync",
        "npm clean-install can only install packages when your package.json and "
        "package-lock.json are in sync",
        "in sync with npm ci",
    ),
    Rule(
        "where a bundler failed to resolve an import",
        "failed to resolve import",
        r"(?im)^[ \t]*(?:(?:error during build|error|x build failed[^\n]{0,40}): ?)?"
        r"(?:\[[\w: -]{1,60}\]:? ?){0,2}(?:(?:internal server|pre-transform) error: )?"
        r"(?:rollup )?(?=failed to resolve import )",
        "",
        "[vite] Internal server error: Failed to resolve import './a' from 'src/b.ts'.",
        "Failed to resolve import './a' from 'src/b.ts'.",
        "It failed to resolve import './a'",
    ),
    Rule(
        "code of TypeScript when it has a suggestion",
        "ts2551|ts2552|ts2724",
        r"\bTS(2551|2552|2724)\b",
        _without_suggestion,
        "error TS2551: Property 'totl' does not exist on type 'Cart'. Did you mean 'total'?",
        "error TS2339: Property 'totl' does not exist on type 'Cart'. Did you mean 'total'?",
        "error TS2304: Cannot find name 'a'",
    ),
    Rule(
        "name that TypeScript knows from elsewhere, by version",
        "do you need to ",
        r"\bTS(?:2304|2580|2581|2582|2583|2584|2591|2592|2593): (Cannot find name '[^'\n]{1,100}')"
        r"\. Do you need to [^\n]{1,300}",
        r"TS2304: \1",
        "error TS2580: Cannot find name 'process'. Do you need to install type definitions for "
        "node? Try `npm i`.",
        "error TS2304: Cannot find name 'process'",
        "Do you need to run it?",
    ),
    Rule(
        "member that a module does not export, with a suggestion",
        "has no exported member named",
        r"(?<=: )(['\"]{1,2}[^'\"\n]{1,200}['\"]{1,2}) has no exported member named '",
        r"Module \1 has no exported member '",
        "error TS2305: '\"react\"' has no exported member named 'useStat'.",
        "error TS2305: Module '\"react\"' has no exported member 'useStat'.",
        "it has no exported member named so",
    ),
    Rule(
        "types of a module, before TypeScript 3.9",
        "corresponding type declarations",
        r"(?<=') or its corresponding type declarations",
        "",
        "error TS2307: Cannot find module './a' or its corresponding type declarations.",
        "error TS2307: Cannot find module './a'.",
        "its corresponding type declarations",
    ),
    Rule(
        "type error that Next.js passes on",
        "type error: ",
        r"(?m)^[ \t]*Type error: (?=\S)",
        "",
        "Type error: Property 'total' does not exist on type 'Cart'.",
        "Property 'total' does not exist on type 'Cart'.",
        "a Type error: x",
    ),
    Rule(
        "test that took too long, by version of Jest and by Vitest",
        "async callback was not invoked|exceeded timeout of|timed out in",
        r"(?i)(?:thrown: ['\"]?)?(?:: )?(?:Timeout - )?Async callback was not invoked within the "
        r"(?:\d{1,9} ?ms )?timeout\b[^\n]{0,120}|"
        r"(?:thrown: ['\"]?)?Exceeded timeout of \d{1,9} ?ms for a (?:test|hook)|"
        r"\b(?:Test|Hook) timed out in \d{1,9} ?ms",
        _script_timeout,
        'thrown: "Exceeded timeout of 5000 ms for a test.',
        "Exceeded timeout for a test.",
        "timed out in the queue",
    ),
    Rule(
        "browser that was not found, by version of Playwright",
        "because executable doesn't exist",
        r"Failed to launch \w{1,40} because executable doesn't exist",
        "Executable doesn't exist",
        "browserType.launch: Failed to launch chromium because executable doesn't exist at /a",
        "browserType.launch: Executable doesn't exist at /a",
        "because executable doesn't exist",
    ),
    Rule(
        "browser that was not found, by version of Puppeteer",
        "could not find",
        r"Could not find (?:expected browser \((\w{1,20})\) locally|(Chrome|Chromium|Firefox) "
        r"\((?:rev|ver)\. [\d.]{1,30}\))",
        _browser,
        "Error: Could not find Chromium (rev. 1095492).",
        "Error: Could not find browser Chrom.",
        "Could not find Chrome",
    ),
    Rule(
        "browser that did not start, by version of Puppeteer",
        "failed to launch",
        r"Failed to launch (?:chrome!|the browser process!)",
        "Failed to launch the browser",
        "Error: Failed to launch chrome!",
        "Error: Failed to launch the browser",
        "Failed to launch chrome",
    ),
    Rule(
        "list without keys, before React 16",
        "should have a unique",
        r"(?<=Each child in )an array or iterator(?= should have a unique)",
        "a list",
        'Warning: Each child in an array or iterator should have a unique "key" prop.',
        'Warning: Each child in a list should have a unique "key" prop.',
        "an array or iterator",
    ),
    Rule(
        "page that differs from the server's, by version of React",
        "hydration failed|server-rendered html",
        r"Hydration failed because (?:the initial UI does not match what was rendered on the "
        r"server|the server rendered (?:HTML|text) didn't match the client)|"
        r"Text content does(?: not|n't) match server-rendered HTML",
        "Hydration failed",
        "Error: Hydration failed because the server rendered HTML didn't match the client.",
        "Error: Hydration failed.",
        "Hydration failed because it is late",
    ),
    Rule(
        "property that a template does not know, by version of Vue",
        "but referenced during render|was accessed during render",
        r"Property (?:or method )?(\"[^\"\n]{1,100}\") (?:is not defined on the instance but "
        r"referenced during render|was accessed during render but is not defined on instance)",
        r"Property \1 is not defined in render",
        'Property or method "total" is not defined on the instance but referenced during render.',
        'Property "total" is not defined in render.',
        'Property "total" is not defined',
    ),
    Rule(
        "component that is not known, by version of Vue",
        "unknown custom element",
        r"Unknown custom element: <([\w-]{1,100})>(?: - did you register the component correctly)?",
        r"Failed to resolve component: \1",
        "Unknown custom element: <order-row> - did you register the component correctly?",
        "Failed to resolve component: order-row?",
        "Unknown custom element",
    ),
    Rule(
        "provider that is missing, by version of Angular",
        "no provider f",
        r"\bNo provider (?:found )?for ['`]?(\w{1,100})['`]?[!.]?",
        r"no provider: \1",
        "NullInjectorError: No provider for CartService!",
        "NullInjectorError: no provider: CartService",
        "No providers for a",
    ),
    Rule(
        "server of a database that Prisma cannot reach, by version",
        "can't reach database server at",
        r"(?<=Can't reach database server at )['`]([^'`\n]{1,200})['`]:['`](\d{1,5})['`]",
        r"'\1:\2'",
        "Can't reach database server at 'db':'5432'",
        "Can't reach database server at 'db:5432'",
        "Can't reach database server at 'db'",
    ),
    Rule(
        "permission that Deno lacks, before version 2",
        "permissiondenied: requires",
        r"\bPermissionDenied: (?=Requires )",
        "NotCapable: ",
        "error: Uncaught PermissionDenied: Requires env access to 'HOME'",
        "error: Uncaught NotCapable: Requires env access to 'HOME'",
        "PermissionDenied: no access",
    ),
    Rule(
        "words behind a code of the system, since Node.js 12",
        "eaddrinuse: |eacces: |eaddrnotavail: ",
        r"(\b(?:listen|bind|connect) (?:EADDRINUSE|EACCES|EADDRNOTAVAIL)): "
        r"(?:address already in use|"
        r"permission denied|address not available) ",
        r"\1 ",
        "Error: listen EADDRINUSE: address already in use :::3000",
        "Error: listen EADDRINUSE :::3000",
        "EACCES: permission denied, open 'a'",
    ),
    Rule(
        "product that lacks its browsers, by binding of Playwright",
        "looks like playwright",
        r"(?<=Looks like Playwright) Test or Playwright(?= was just)",
        "",
        "Looks like Playwright Test or Playwright was just installed or updated.",
        "Looks like Playwright was just installed or updated.",
        "Looks like Playwright Test",
    ),
)
