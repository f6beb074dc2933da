#!/usr/bin/env python3
"""A complete bot for a Quincunx server: sits where a seat is kept for it, and plays legal actions at random.

    python3 online.py http://127.0.0.1:5105 TOKEN [GAMES]

The token is made by the owner of the bot: POST /api/me/bots, then POST /api/me/bots/{bot}/tokens. With a number of games
the bot ends after so many. Only Python's own library is needed.
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid


class Bot:
    def __init__(self, server, token, games):
        self.server, self.token, self.games_left = server.rstrip("/"), token, games
        self.me = None
        self.finished = set()

    def request(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        return urllib.request.Request(self.server + path, data, headers)

    def ask(self, path, body=None):
        """A request that is answered at once. None if the server refuses it: then the table has changed meanwhile."""
        for _ in range(20):
            try:
                with urllib.request.urlopen(self.request(path, body), timeout=30) as answer:
                    return json.loads(answer.read() or "null")
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    print(json.loads(error.read())["reason"], file=sys.stderr)
                    return None
                time.sleep(float(error.headers.get("Retry-After", 1)))
            except OSError:
                time.sleep(0.5)
        return None

    def command(self, table, command):
        # The same id is sent when a request is repeated: the server does it once.
        return self.ask(f"/api/tables/{table}/commands", {"id": str(uuid.uuid4()), "command": command})

    def hear(self, message):
        """Looks at each table of which something is told."""
        kind = message["type"]
        if kind == "welcome":
            self.me = message["user"]["id"]
        elif kind in ("snapshot", "update"):
            self.look(message["table"])

    def look(self, table):
        seen = self.ask(f"/api/tables/{table}")
        if seen is None or table in self.finished:
            return
        if seen["status"] == "open":
            for seat, plan in enumerate(seen["setup"]["seats"]):
                if plan == {"kind": "player", "user": self.me} and seen["seats"][seat]["user"] is None:
                    self.command(table, {"type": "sit", "seat": seat})
        elif seen["status"] == "playing":
            self.act(table, seen)
        else:
            self.finished.add(table)
            self.games_left -= 1
            print("finished", table, flush=True)

    def act(self, table, seen):
        my_seat = next((seat for seat, who in enumerate(seen["seats"]) if who["user"] == self.me), None)
        if seen["position"]["turn"] == {"kind": "seat", "seat": my_seat}:
            choice = random.choice(seen["position"]["actions"])["action"]
            # With the ply a late answer does not hit another position.
            self.command(table, {"type": "act", "action": choice, "ply": seen["position"]["ply"]})

    def run(self):
        while self.games_left > 0:
            try:
                with urllib.request.urlopen(self.request("/api/stream"), timeout=60) as stream:
                    for line in stream:
                        # Empty lines only show that the connection lives.
                        if line.strip():
                            self.hear(json.loads(line))
                        if self.games_left <= 0:
                            return
            except urllib.error.HTTPError as error:
                sys.exit(json.loads(error.read())["reason"])
            except OSError:
                time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    Bot(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else float("inf")).run()
