"""Writes attention_reference.json: attention by its matrix formula, in NumPy and float64.

    softmax(mask(Q K^T / sqrt(d_k))) V

It shares no code with the C++ core, so the two can only agree by both being right. Run it by hand, with Python 3 and
NumPy, where a case is added; tests read the committed output and need no Python.

    python3 tests/reference/make_attention_reference.py

The file is one JSON object:

    Q, K    33 rows of 65 numbers, V: 33 rows of 3 numbers. Decimals of three digits, which every reader parses to the
            same float64.
    cases   a list of objects. A case takes the leading block of each matrix:
              query = Q[:n_query, :d_k], key = K[:n_key, :d_k], value = V[:n_key, :d_v].

A case holds:

    n_query, n_key, d_k, d_v   whole numbers
    is_causal                  true where key j is visible to query i only for j <= i
    output                     n_query rows of d_v numbers
    weights                    n_query rows of n_key numbers; only where n_query is below 33
    peak, entropy              the largest weight of each row, and -sum a ln a in nats; only where n_query is 33

Outputs are written with as many digits, up to 17, as it takes to give back every bit of a float64.
"""

import json
import pathlib

import numpy as np

D_V = 3  # never equal to a d_k, so that a mixed-up axis cannot go unnoticed
TOKENS = [1, 2, 6, 33]
WIDTHS = [1, 2, 16, 64, 65]
LARGEST = max(TOKENS)


def attention(query, key, value, is_causal):
    scores = query @ key.T / np.sqrt(query.shape[1])
    if is_causal:
        scores = np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights, weights @ value


def entropy(weights):
    return -np.sum(weights * np.log(weights, where=weights > 0, out=np.zeros_like(weights)), axis=1)


def case(inputs, n_query, n_key, d_k, is_causal):
    query, key, value = inputs["Q"][:n_query, :d_k], inputs["K"][:n_key, :d_k], inputs["V"][:n_key, :]
    weights, output = attention(query, key, value, is_causal)
    result = dict(n_query=n_query, n_key=n_key, d_k=d_k, d_v=D_V, is_causal=is_causal, output=output.tolist())
    if n_query < LARGEST:
        result["weights"] = weights.tolist()
    else:
        result["peak"] = weights.max(axis=1).tolist()
        result["entropy"] = entropy(weights).tolist()
    return result


def main():
    source = np.random.RandomState(65)  # its stream is frozen across versions of NumPy
    inputs = {name: source.standard_normal((LARGEST, width)).round(3) + 0.0  # no negative zeros
              for name, width in [("Q", max(WIDTHS)), ("K", max(WIDTHS)), ("V", D_V)]}
    cases = [case(inputs, tokens, tokens, d_k, is_causal)
             for tokens in TOKENS for d_k in WIDTHS for is_causal in (False, True)]
    cases += [case(inputs, n_query, n_key, 16, is_causal)
              for n_query, n_key in [(2, 6), (6, 2), (33, 6)] for is_causal in (False, True)]

    parts = [f'"{name}": {json.dumps(matrix.tolist())}' for name, matrix in inputs.items()]
    parts.append('"cases": [\n' + ",\n".join(json.dumps(each) for each in cases) + "\n]")
    path = pathlib.Path(__file__).with_name("attention_reference.json")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
