GOALS = []
PEERS = []
NAME = "delta"
