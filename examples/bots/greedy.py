#!/usr/bin/env python3
"""A complete bot for all five games, with nothing but the standard library.

It prefers what scores most at once, as far as it can tell from the text of an action, and otherwise plays at random.
Try it:  quincunx match --game mod-x --players 'cmd:python3 examples/bots/greedy.py' random --games 10
"""

import json
import random
import sys


def say(line):
    print(line, flush=True)


def choose(game, position, seat):
    """Picks one of the legal actions of our seat."""
    actions = [action["action"] for action in position["actions"] if action["seat"] == seat]
    if not actions:
        return None
    touches = [action for action in actions if action.startswith("!")]
    if game == "mod-x" and touches:
        return random.choice(touches)  # a pattern that is complete: claim it
    if game == "castle-builders":
        # Building counters come first: a removed or stopped turn builds nothing.
        building = [action for action in actions if action[0] in "OCB"]
        return random.choice(building or actions)
    if game == "x-marks-the-spot":
        placing = [action for action in actions if action.startswith("place ")]
        return random.choice(placing or actions)
    return random.choice(actions)


def main():
    game, seat, position = None, None, None
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "quincunx":
            say("name greedy.py")
            say("ready")
        elif word == "newgame":
            new = json.loads(rest)
            game, seat = new["game"], new["seat"]
        elif word == "position":
            position = json.loads(rest)
        elif word == "go":
            action = choose(game, position, seat)
            say("wait" if action is None else f"action {action}")
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
