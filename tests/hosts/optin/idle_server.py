"""A server that says what ours says and does nothing: how long does a host take for any plugin?

It is started with `-IS` and the file of the answers by method, and answers every call with silence.
"""

import json
import os
import sys
from pathlib import Path

SILENCE = {"content": [{"type": "text", "text": "{}"}], "isError": False, "resultType": "complete"}


def main() -> None:
    """Answer each line as it comes."""
    answers = json.loads(Path(sys.argv[1]).read_bytes())
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" not in request:
            continue
        said = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "subscriptions/listen":
            meta = {"io.modelcontextprotocol/subscriptionId": request["id"]}
            params = {"_meta": meta, "notifications": request["params"]["notifications"]}
            method = "notifications/subscriptions/acknowledged"
            said = {"jsonrpc": "2.0", "method": method, "params": params}
        else:
            said["result"] = answers.get(request["method"], SILENCE)
        os.write(1, json.dumps(said).encode() + b"\n")


if __name__ == "__main__":
    main()
