"""moto's server, one request at a time: it changes its tables without locks, and answers 500 to who lists meanwhile."""
import io
import threading

import moto.server

serve = moto.server.run_simple
turn = threading.Lock()


def serially(host, port, app, **options):
    def answer(environ, start):
        # Read before its turn comes: a client that stalls holds nobody up.
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length:
            environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(length))
        with turn:
            return list(app(environ, start))

    serve(host, port, answer, **options)


moto.server.run_simple = serially
moto.server.main()
