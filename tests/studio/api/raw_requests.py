"""Bytes to the server as they are, for what no client would send."""

import socket


def raw(port, data, timeout=15, half_close=False):
    """What the server answers to these bytes, until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(data)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer else None
