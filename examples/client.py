#!/usr/bin/env python3
"""A plain client of egod: python3 examples/client.py bin/egod https://x.com

Starts egod as a child, one JSON text per line each way, and prints what is known
about an address. Only the standard library is used.
"""
import itertools
import json
import subprocess
import sys


class Egod:
    def __init__(self, *argv):
        self.child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.ids = itertools.count(1)

    def send(self, method, params=None, **more):
        request = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            request["params"] = params
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()

    def call(self, method, **params):
        """Sends a request and returns its result; notifications on the way are dropped."""
        wanted = next(self.ids)
        self.send(method, params, id=wanted)
        for line in self.child.stdout:
            answer = json.loads(line)
            if answer.get("id") != wanted:
                continue
            if error := answer.get("error"):
                raise RuntimeError(f"{method}: {error['message']} ({error['data']['kind']})")
            return answer["result"]
        raise RuntimeError(f"{method}: egod closed its output")

    def close(self):
        self.call("shutdown")
        self.send("exit")
        return self.child.wait(timeout=10)


def main(binary, url):
    egod = Egod(binary, "serve")
    server = egod.call("initialize", protocolVersion="1", clientInfo={"name": "client.py", "version": "1"})["serverInfo"]
    print(f"{server['name']} {server['version']}")
    context = egod.call("learnContext", url=url)
    for note in context["knowledge"]:
        print(f"note {note['siteId']}/{note['fileName']}: {len(note['content'])} characters")
    for tool in context["tools"]:
        print(f"{tool['toolType']} tool {tool['siteId']}/{tool['toolName']}: {tool['description']}")
    return egod.close()


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["bin/egod", "https://x.com"])))
