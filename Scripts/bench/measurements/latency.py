GOALS = []
PEERS = []
NAME = "latency"
