GOALS = []
PEERS = []
NAME = "scale"
