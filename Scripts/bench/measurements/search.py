GOALS = []
PEERS = []
NAME = "search"
