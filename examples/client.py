#!/usr/bin/env python3
"""A client of egod with nothing but the standard library: python3 examples/client.py bin/egod

Starts egod as a child and writes and reads one JSON text per line. The page that
the browser tool looks at is served by this program.
"""
import http.server
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading

PAGE = b'<!doctype html><title>Bakery</title><ul><li id="rye" data-euros="4.23">Rye<li id="wheat" data-euros="3.19">Wheat</ul>'


class Egod:
    """One request at a time; notifications that come in between are dropped."""

    def __init__(self, *argv):
        self.child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.ids = itertools.count(1)

    def send(self, method, params, **more):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}) + "\n")
        self.child.stdin.flush()

    def begin(self, method, **params):
        request = next(self.ids)
        self.send(method, params, id=request)
        return request

    def answer(self, request):
        for line in self.child.stdout:
            message = json.loads(line)
            if message.get("id") != request:
                continue
            if error := message.get("error"):
                raise RuntimeError(f"{error['message']} ({error['data']['kind']})")
            return message["result"]
        raise RuntimeError("egod closed its output")

    def call(self, method, **params):
        return self.answer(self.begin(method, **params))

    def close(self):
        self.call("shutdown")
        self.send("exit", {})
        return self.child.wait(timeout=10)


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def main(binary="bin/egod"):
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    url = f"http://localhost:{pages.server_port}/"
    egod = Egod(binary, "serve", "--root", str(pathlib.Path(__file__).parent / "learnings"))

    hello = egod.call("initialize", clientInfo={"name": "client.py", "version": "1"}, processId=os.getpid())
    print(hello["serverInfo"]["name"], hello["serverInfo"]["version"])
    print("packs:", *(skill["id"] for skill in egod.call("skillsForUrl", url=url)["skills"]))
    for note in egod.call("learnContext", url=url)["knowledge"]:
        print("note:", note["content"].strip())

    print("tool:", egod.call("runTool", siteId="bakery", toolName="total", args={"prices": [4.23, 3.19]})["value"])
    egod.call("page.goto", url=url)
    print("page:", egod.call("runBrowserTool", siteId="bakery", toolName="read-prices")["value"])

    endless = egod.begin("runScript", source="for (;;) {}")
    egod.send("$/cancelRequest", {"id": endless})
    try:
        egod.answer(endless)
    except RuntimeError as error:
        print("cancelled:", error)
    return egod.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
