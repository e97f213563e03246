GOALS = []
PEERS = []
NAME = "resolve"
