#!/usr/bin/env python3
"""Hostile requests against `vmafbatch serve` on loopback, until the time is over.

usage: http_fuzz.py --vmafbatch PATH --database DB [--minutes 10] [--seed 1] [--threads 4]

Starts the server on a free port, the database compared with itself. Threads send requests over raw sockets: valid ones, valid ones with bytes changed, cut, doubled or
inserted, and ones made from a grammar of paths, parameters, headers and SQL. After every batch of 500 the server must
  - still answer /api/summary with the bytes that it gave at first (but for its clock),
  - still be the same process, with a database that has the same bytes and nothing new beside it.
At the end SIGTERM must end it with exit code 0 within ten seconds, and it may have said nothing but that it stops (a sanitizer would).
A finding names the seed of its batch. Exit code 0 nothing found, 1 a finding, 2 the server does not start. Needs only Python's
standard library.
"""
import argparse
import hashlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BATCH = 500
PATHS = ["/", "/index.html", "/app.js", "/app.css", "/api/summary", "/api/clips", "/api/clip?id=1", "/api/clips?first=0&count=5",
         "/api/frames?id=1&feature=0&first=0&last=9", "/api/ladders", "/api/comparison", "/api/comparison-clip?old=1&new=1",
         "/api/picture?id=1&frame=0", "/api/picture?id=2&frame=3", "/api/sql", "/api/sql.csv",
         "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/../scores.db", "/%00", "/api/clip?id=%00", "//", "/\\..\\"]
VALUES = ["0", "1", "-1", "999999999", "18446744073709551616", "1e9", "", "%00", "%", "%zz", "NaN", "'", "1;DROP TABLE clip", "\u202e", "a" * 3000]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "G\0T", ""]
HEADERS = ["Host: localhost", "Host: evil.example", "Host: localhost\r\nHost: x", "Content-Length: 5", "Content-Length: -1", "Content-Length: 99999999999",
           "Content-Length: 5\r\nContent-Length: 6", "Transfer-Encoding: chunked", "Connection: keep-alive", "Range: bytes=0-", "Expect: 100-continue",
           "Upgrade: websocket", "Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain", "Content-Type: multipart/form-data; boundary=x",
           "Accept-Encoding: gzip", "X: " + "y" * 9000, "\xff\xfe: \x01", "NoColon", " folded"]
SQL = ["SELECT 1", "SELECT * FROM frame_features LIMIT 5", "SELECT clip, mean FROM clip_scores", "DELETE FROM scoring", "ATTACH 'x.db' AS x", "PRAGMA journal_mode=WAL",
       "VACUUM INTO 'y.db'", "SELECT load_extension('x')", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 50000) SELECT count(*) FROM n",
       "SELECT format('%99999999d', 1)", "SELECT group_concat(value) FROM frame_features", "SELECT (" * 200, "SELECT '\0'", "SELECT \xff", ";;;", "CREATE TEMP TABLE t(a)",
       "INSERT INTO clip(name) VALUES('x')", "SELECT * FROM sqlite_master", "SELECT 1; SELECT 2", "EXPLAIN SELECT 1", "BEGIN IMMEDIATE"]


def made_request(rng):
    method = rng.choice(METHODS[:3]) if rng.random() < 0.8 else rng.choice(METHODS)
    path = rng.choice(PATHS)
    if rng.random() < 0.3:
        path += ("&" if "?" in path else "?") + rng.choice(["id", "frame", "first", "count", "feature", "x"]) + "=" + rng.choice(VALUES)
    body = rng.choice(SQL) if method == "POST" or rng.random() < 0.05 else ""
    if body and rng.random() < 0.3:
        body = mutated(rng, body.encode("latin-1", "replace")).decode("latin-1")
    data = body.encode("latin-1", "replace")
    headers = ["Host: localhost"] if rng.random() < 0.9 else []
    if data:
        headers += ["Content-Type: text/plain", f"Content-Length: {len(data)}"]
    headers += rng.choices(HEADERS, k=rng.randrange(3)) if rng.random() < 0.4 else []
    rng.shuffle(headers)
    head = f"{method} {path} HTTP/1.{rng.choice('0111129')}\r\n" + "".join(header + "\r\n" for header in headers) + "\r\n"
    return head.encode("utf-8", "replace") + data


def mutated(rng, data):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0 and data:
            data[at % len(data)] = rng.randrange(256)
        elif kind == 1:
            del data[at:at + rng.randrange(1, 20)]
        elif kind == 2:
            data[at:at] = data[at:at + rng.randrange(1, 200)]
        elif kind == 3:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 30)))
        else:
            data = data[:at]
    return bytes(data)


def request(rng):
    data = made_request(rng)
    return mutated(rng, data) if rng.random() < 0.5 else data


def exchange(port, data, rng=None):
    """The answer's bytes. With rng, a client may also send in pieces, leave early or not read."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        try:
            if rng and rng.random() < 0.1:
                half = len(data) // 2
                client.sendall(data[:half])
                time.sleep(0.01)
                client.sendall(data[half:])
            else:
                client.sendall(data)
            if rng and rng.random() < 0.1:
                return b""
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := client.recv(65536):
                answer += piece
            return answer
        except (ConnectionResetError, BrokenPipeError):
            return b""


def summary(port):
    answer = exchange(port, b"GET /api/summary HTTP/1.1\r\nHost: localhost\r\n\r\n")
    document = json.loads(answer.split(b"\r\n\r\n", 1)[1])
    return json.dumps({key: value for key, value in document.items() if key not in ("now", "made_at", "generated_at")}, sort_keys=True)


def state(database):
    with open(database, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return digest, sorted(os.listdir(os.path.dirname(database)))


class Finding(Exception):
    pass


def run_batches(arguments, port, process, database):
    first_summary, first_state = summary(port), state(database)
    end = time.monotonic() + 60 * arguments.minutes
    seed = arguments.seed
    sent = 0
    answered = {}
    lock = threading.Lock()

    def send(batch_seed):
        nonlocal sent
        rng = random.Random(batch_seed)
        for _ in range(BATCH // arguments.threads):
            answer = exchange(port, request(rng), rng)
            status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.1 ") else "none"
            with lock:
                sent += 1
                answered[status] = answered.get(status, 0) + 1

    while time.monotonic() < end:
        failures = []

        def guarded(batch_seed):
            try:
                send(batch_seed)
            except Exception as error:  # noqa: BLE001: whatever it is, it is a finding
                failures.append(f"a request failed: {error!r}")

        threads = [threading.Thread(target=guarded, args=(f"{seed}.{number}",)) for number in range(arguments.threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if process.poll() is not None:
            failures.append(f"the server ended with {process.returncode}")
        elif summary(port) != first_summary:
            failures.append("the summary is another one")
        if state(database) != first_state:
            failures.append("the database or its folder changed")
        if failures:
            raise Finding(f"batch {seed}: " + "; ".join(failures[:3]))
        seed += 1
    return sent, answered


def main():
    parser = argparse.ArgumentParser(description="Hostile requests against vmafbatch serve.")
    parser.add_argument("--vmafbatch", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=4)
    arguments = parser.parse_args()
    database = os.path.abspath(arguments.database)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([os.path.abspath(arguments.vmafbatch), "serve", database, database, "--port", "0"], cwd=os.path.dirname(database),
                                   stdout=subprocess.PIPE, stderr=said, text=True)
        line = process.stdout.readline()
        if not (match := re.match(r"http://127\.0\.0\.1:(\d+)/", line)):
            print("the server does not start:", line)
            return 2
        try:
            sent, answered = run_batches(arguments, int(match[1]), process, database)
            process.send_signal(signal.SIGTERM)
            code = process.wait(timeout=10)
            said.seek(0)
            text = said.read().decode("utf-8", "replace")
            if code != 0 or text.strip() not in ("", "stopping"):
                raise Finding(f"the server ended with {code} and said: {text[-2000:]}")
        except (Finding, subprocess.TimeoutExpired) as finding:
            said.seek(0)
            print("FINDING:", finding, said.read().decode("utf-8", "replace")[-3000:])
            return 1
        finally:
            process.kill()
    print(f"{sent} requests, answered with", ", ".join(f"{status}: {count}" for status, count in sorted(answered.items())) + ": nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
