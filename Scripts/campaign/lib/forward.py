"""Passes connections on: forward.py ADDRESS PORT HOST. Prints a line once it listens."""
import socket
import sys
import threading


def carry(source, target):
    try:
        while part := source.recv(65536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # The other way ends with it: a reset here is one there.
        for end in (source, target):
            end.close()


address, port, host = sys.argv[1], int(sys.argv[2]), sys.argv[3]
listener = socket.create_server((address, port))
print("listening", flush=True)
while True:
    near, _ = listener.accept()
    try:
        far = socket.create_connection((host, port))
    except OSError:
        near.close()
        continue
    for ends in ((near, far), (far, near)):
        threading.Thread(target=carry, args=ends, daemon=True).start()
