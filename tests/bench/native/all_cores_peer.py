"""Calls of many heads beside NumPy and PyTorch, by turns, each on all cores: float32, d = 64.

    python3 all_cores_peer.py path/to/attention_bench

Prints the medians of the ratios, the peer's time over ours, on the clock. Without PyTorch its column is empty. For one
query it says too what share of the bandwidth of a plain sum the reading of keys and values reaches, on one thread.
"""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None

D = 64
TURNS = 7

# heads, heads of key and value, queries, keys, causal; the goal for the ratios
CALLS = [
    *((12, 12, length, length, causal, 1.5) for length in (256, 1024, 4096) for causal in (False, True)),
    (32, 8, 1024, 1024, True, 2),
    (12, 12, 1, 4096, False, 2),
    (12, 12, 1, 65536, False, 2),
    (32, 8, 1, 4096, False, 2),
]


def best_of(call):
    call()
    best, start, count = None, time.perf_counter(), 0
    while count < 3 or time.perf_counter() - start < 0.1:
        before = time.perf_counter()
        call()
        seconds = time.perf_counter() - before
        best, count = seconds if best is None else min(best, seconds), count + 1
    return best


def numpy_call(q, k, v, hidden):
    group = q.shape[0] // k.shape[0]
    grouped = q.reshape(k.shape[0], group, q.shape[1], D)
    keys, values = k[:, None].transpose(0, 1, 3, 2), v[:, None]

    def call():
        scores = grouped @ keys
        scores *= np.float32(1 / np.sqrt(D))
        if hidden is not None:
            scores += hidden
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        total = scores.sum(axis=-1, keepdims=True)
        output = scores @ values
        output /= total
        return output

    return call


def torch_call(q, k, v, hidden):
    group = q.shape[0] // k.shape[0]
    query = torch.from_numpy(q).reshape(k.shape[0], group * q.shape[1], D)
    key, value = torch.from_numpy(k), torch.from_numpy(v)
    mask = None if hidden is None else torch.from_numpy(hidden).repeat(group, 1)

    def call():
        with torch.no_grad():
            scores = torch.bmm(query, key.transpose(1, 2)).mul_(1 / D**0.5)
            if mask is not None:
                scores += mask
            return torch.bmm(torch.softmax(scores, dim=-1), value)

    return call


def main():
    program = sys.argv[1]
    bandwidth = float(subprocess.run([program, "--bandwidth"], stdout=subprocess.PIPE, check=True, text=True).stdout)
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__ if torch else 'none'}\n")
    print("heads   queries    keys            ours   NumPy  PyTorch   bandwidth on one thread")
    with subprocess.Popen([program, "--answer-heads"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:

        def our_seconds(threads, call):
            ours.stdin.write(" ".join(map(str, (threads, *call[:4], int(call[4])))) + "\n")
            ours.stdin.flush()
            return float(ours.stdout.readline())

        for heads, shared, n_query, n_key, causal, goal in CALLS:
            random = np.random.default_rng(7)
            q, k, v = (random.standard_normal((h, n, D), dtype=np.float32)
                       for h, n in ((heads, n_query), (shared, n_key), (shared, n_key)))
            hidden = np.triu(np.full((n_query, n_key), -np.inf, np.float32), 1 + n_key - n_query) if causal else None
            peers = [numpy_call(q, k, v, hidden)] + ([torch_call(q, k, v, hidden)] if torch else [])
            call = (heads, shared, n_query, n_key, causal)
            own, ratios = [], [[] for _ in peers]
            for _ in range(TURNS):
                own.append(our_seconds(0, call))
                for peer, found in zip(peers, ratios):
                    found.append(best_of(peer) / own[-1])
            medians = [statistics.median(found) for found in ratios]
            share = ""
            if n_query == 1:
                bytes_read = 2 * shared * n_key * D * 4
                share = f"{100 * bytes_read / our_seconds(1, call) / bandwidth:5.0f} %"
            missed = "  goal not reached" if min(medians) < goal else ""
            print(f"{heads:2}:{shared:<2} {n_query:8} {n_key:7} {'causal' if causal else 'full  '} "
                  f"{1e3 * statistics.median(own):9.3f} ms " + " ".join(f"{m:7.2f}" for m in medians) +
                  f"   {share}{missed}", flush=True)
        ours.stdin.close()


# Peers make their tables anew in every call. Kept by malloc rather than given back to the system, they cost no page
# faults, which on some machines would take ten times as long as the arithmetic.
KEPT = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": str(1 << 28)}
if os.environ.get("MALLOC_MMAP_MAX_") is None:
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEPT})
main()
