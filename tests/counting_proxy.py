"""A TCP proxy on the loopback that counts what passes, as it is on the wire: TLS, HTTP/2 and gRPC included."""

import selectors
import socket
import threading


class CountingProxy:
    """Accepts on `port` and carries bytes to and from `target`. `sent` is from who dialled, `received` to them."""

    def __init__(self, target, delay=0.0):
        self.target = target
        self.delay = delay  # seconds that each piece takes longer, to play a slow network
        self.sent = 0
        self.received = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_open = True
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while self.is_open:
            try:
                dialled, _ = self.listener.accept()
            except OSError:
                return
            try:
                onward = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                dialled.close()
                continue
            threading.Thread(target=self.carry, args=(dialled, onward), daemon=True).start()

    def carry(self, dialled, onward):
        with selectors.DefaultSelector() as ready, dialled, onward:
            ready.register(dialled, selectors.EVENT_READ, onward)
            ready.register(onward, selectors.EVENT_READ, dialled)
            while self.is_open:
                for key, _ in ready.select(timeout=0.5):
                    try:
                        piece = key.fileobj.recv(1 << 16)
                        if not piece:
                            return
                        if self.delay:
                            threading.Event().wait(self.delay)
                        key.data.sendall(piece)
                    except OSError:
                        return
                    with self.lock:
                        if key.fileobj is dialled:
                            self.sent += len(piece)
                        else:
                            self.received += len(piece)

    def close(self):
        self.is_open = False
        self.listener.close()
