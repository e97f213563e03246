GOALS = []
PEERS = []
NAME = "conflicts"
