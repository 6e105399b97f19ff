"""The fast path beside NumPy, by turns on one thread: float32, one head, d = 64.

    OPENBLAS_NUM_THREADS=1 python3 numpy_peer.py path/to/attention_bench

Prints the median of the ratios, NumPy's time over ours. Which BLAS NumPy runs on decides what the ratios mean, so it is
printed too. Both answer the same question first, and the largest difference must be at most 1e-5.
"""

import statistics
import subprocess
import sys
import time

import numpy as np

D = 64
TURNS = 15


def attention(query, key, value, hidden, scores):
    """softmax(Q Kᵀ / sqrt(d)) V without more tables than one; `hidden` is added to the scores where it is given."""
    np.matmul(query, key.T, out=scores)
    scores *= np.float32(1 / np.sqrt(D))
    if hidden is not None:
        scores += hidden
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    total = scores.sum(axis=1, keepdims=True)
    output = scores @ value
    output /= total
    return output


def numpy_seconds(length, is_causal):
    random = np.random.default_rng(7)
    query, key, value = (random.standard_normal((length, D), dtype=np.float32) for _ in range(3))
    hidden = np.triu(np.full((length, length), -np.inf, np.float32), 1) if is_causal else None
    scores = np.empty((length, length), np.float32)
    repeats = max(1, int(1e9 / (4 * D * length * length + 1e6)))
    attention(query, key, value, hidden, scores)
    start = time.process_time()
    for _ in range(repeats):
        attention(query, key, value, hidden, scores)
    return (time.process_time() - start) / repeats


def largest_difference(program, length, is_causal):
    random = np.random.default_rng(8)
    inputs = random.standard_normal((3, length, D), dtype=np.float32)
    hidden = np.triu(np.full((length, length), -np.inf, np.float32), 1) if is_causal else None
    ours = subprocess.run(
        [program, "--output", str(length), str(int(is_causal))], input=inputs.tobytes(), stdout=subprocess.PIPE, check=True
    )
    output = np.frombuffer(ours.stdout, np.float32).reshape(length, D)
    return np.abs(output - attention(*inputs, hidden, np.empty((length, length), np.float32))).max()


def blas():
    """The file of the BLAS in use, and the kernels that it chose if it is OpenBLAS."""
    import ctypes

    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps if "blas" in line}
    for file in files:
        library = ctypes.CDLL(file)
        if hasattr(library, "openblas_get_corename"):
            library.openblas_get_corename.restype = ctypes.c_char_p
            threads = library.openblas_get_num_threads()
            return f"OpenBLAS, kernels for {library.openblas_get_corename().decode()}, {threads} thread"
    return ", ".join(sorted(files)) or "none"


def main():
    numpy_seconds(64, False)  # so that the BLAS is loaded
    print(f"NumPy {np.__version__} on {blas()}\n")
    print("     T            NumPy         ours   ratio")
    with subprocess.Popen([sys.argv[1], "--answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        for is_causal in (False, True):
            for length in (6, 64, 256, 1024, 4096):
                difference = largest_difference(sys.argv[1], length, is_causal)
                if not difference <= 1e-5:
                    sys.exit(f"The outputs differ by {difference} at T = {length}.")
                pairs = []
                for _ in range(TURNS):
                    peer = numpy_seconds(length, is_causal)
                    ours.stdin.write(f"{length} {int(is_causal)}\n")
                    ours.stdin.flush()
                    pairs.append((peer, float(ours.stdout.readline())))
                peer, own, ratio = (
                    statistics.median(column) for column in zip(*[(p, o, p / o) for p, o in pairs])
                )
                kind = "causal" if is_causal else "full  "
                print(f"{length:6} {kind} {1e6 * peer:10.2f} us {1e6 * own:9.2f} us {ratio:7.2f}", flush=True)
        ours.stdin.close()


main()
