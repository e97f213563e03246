GOALS = []
PEERS = []
NAME = "rename"
