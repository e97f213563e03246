GOALS = []
PEERS = []
NAME = "memory"
