GOALS = []
PEERS = []
NAME = "idle"
