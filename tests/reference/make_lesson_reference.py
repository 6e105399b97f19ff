"""Writes lesson_reference.json: whole lessons computed a second time, in plain Python.

It shares no code with the C++ core and uses no library: the random numbers are whole numbers masked to 64 bits, sums
are math.fsum's, and a row's Jacobian is built entry by entry in exact fractions. Run it by hand, with Python 3, where a
lesson is added; tests read the committed output and need no Python.

    python3 tests/reference/make_lesson_reference.py

The file is one JSON object. Whole numbers of 64 bits are text ("0x1a2b"), as are numbers whose very bits matter
("0x1.8p+0").

    random.words        [{seed, words}]   the first words of a SplitMix64 stream
    random.uniforms     [{key, numbers}]  the first uniform numbers of a stream, as hexadecimal floats
    random.normals      [{key, numbers}]  the first normal numbers of a stream, as hexadecimal floats
    random.stream_keys  [{words, key}]
    random.text_hashes  [{text, hash}]    FNV-1a of the text's UTF-8 bytes
    lessons             a list of objects

A lesson holds its `name`, its whole `state` (the widget's keys), and

    X, Wq, Wk, Wv, Q, K, V, and `context` with a second sentence, each {shape, corners, checksum}. Corners are the entries (0, 0), (0, last), (last, 0) and
                             (last, last); the checksum is the sum over i, j of entry * (i + 1) * (2 j + 1).
    scores, masked, weights, output   rows of numbers; "-inf" stands for minus infinity, "nan" for what is not a number
    spread, expectedSpread            a number; expectedSpread may be null
    rows                              {peak, entropy, maximumEntropy, jacobian, rowSum, state, gradient}, each a list
                                      with a number (or "nan"), or for the last two a text, for each row

Numbers are written with as many digits, up to 17, as it takes to give back every bit of a float64.
"""

import json
import math
import pathlib
from fractions import Fraction

WORD = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15

# SplitMix64 and what is made of its words.


def mix(word):
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & WORD
    return word ^ word >> 31


def words(seed):
    while True:
        seed = (seed + GAMMA) & WORD
        yield mix(seed)


def uniforms(key):
    return ((word >> 11) / 2**53 for word in words(key))


def normals(key):
    """The ratio of uniforms: v / u, wherever the point (u, v) lies below the curve v^2 = -4 u^2 ln u."""
    numbers = uniforms(key)
    while True:
        u = 1.0 - next(numbers)
        v = 1.7156 * (next(numbers) - 0.5)
        if v * v <= -4.0 * u * u * math.log(u):
            yield v / u


def stream_key(*parts):
    key = 0
    for part in parts:
        key = mix((key + GAMMA + mix((part + GAMMA) & WORD)) & WORD)
    return key


def text_hash(text):
    result = 0xCBF29CE484222325
    for byte in text.encode():
        result = ((result ^ byte) * 0x100000001B3) & WORD
    return result


def first(count, stream):
    return [next(stream) for _ in range(count)]


# Matrices are lists of rows.


def transposed(matrix):
    return [list(column) for column in zip(*matrix)]


def product(left, right):
    return [[math.fsum(a * b for a, b in zip(row, column)) for column in transposed(right)] for row in left]


# The layer. Roles: 1 embedding, 2 query, 3 key, 4 value, 5 dropout, 6 embedding of a second sentence.


def embeddings(tokens, d_model, seed, role=1):
    X = []
    for token in tokens:
        row = first(d_model, normals(stream_key(seed, role, text_hash(token))))
        factor = math.sqrt(d_model / sum(number * number for number in row))
        X.append([number * factor for number in row])
    return X


def random_weights(d_model, width, seed, role):
    deviation = 1 / math.sqrt(d_model)
    return transposed([[deviation * number for number in first(d_model, normals(stream_key(seed, role, column)))]
                       for column in range(width)])


def layer(state):
    d_model, d_k, d_v, seed = state["dModel"], state["dK"], state["dV"], state["seed"]
    if state["preset"] == "four-token":
        X = [[1, 0], [0, 1], [1, 1], [1, -1]]
        Wq, Wk, Wv = [[1, 1], [0, 1]], [[1, 0], [1, 1]], [[0, 2], [1, 0]]
    else:
        X = embeddings(state["tokens"], d_model, seed)
        Wq, Wk, Wv = (random_weights(d_model, width, seed, role) for width, role in [(d_k, 2), (d_k, 3), (d_v, 4)])
    if state["projections"] == "shared":
        Wk = Wv = Wq
    if state["projections"] == "identity":
        Wq = Wk = Wv = [[float(row == column) for column in range(d_model)] for row in range(d_model)]
    return X, Wq, Wk, Wv


# Attention and what is said about it.


def softmax(scores):
    largest = max(scores)
    if largest == -math.inf:
        return [0.0] * len(scores)  # by rule: nothing is visible
    exponentials = [math.exp(score - largest) for score in scores]
    total = math.fsum(exponentials)
    return [exponential / total for exponential in exponentials]


def in_half_precision(number):
    """Half precision ends at 65504, and what is below half of its least number, 2^-24, is 0."""
    return math.inf if number > 65504 else 0.0 if number < 2**-25 else number


def naive_softmax(scores):
    exponentials = [in_half_precision(math.exp(score)) for score in scores]
    total = math.fsum(exponentials)
    if max(scores) == -math.inf:
        return exponentials
    # Python would raise an error where a division of floats gives what is not a number.
    return [math.nan if total == 0 or exponential == math.inf else exponential / total for exponential in exponentials]


def jacobian_norm(soft, seen, factors, axis):
    """
    The norm of d weight_j / d score_l over one row: weight_j = factors_j soft_j, where soft, as the softmax leaves it,
    moves with the scores that the softmax has seen; factors are 0 where a weight is cleared or dropped.
    """
    if any(math.isnan(weight) for weight, factor in zip(soft, factors) if factor):
        return math.nan
    # Beside an overflow, which is not a number, the other weights are exactly 0 and stay so.
    p = [Fraction(0 if math.isnan(weight) else weight) for weight in soft]
    places = [l for l in range(len(p)) if seen[l]]
    entries = [Fraction(factors[j]) * ((p[j] if j == l else 0) - (p[j] * p[l] if axis == "keys" or j == l else 0))
               for j in places for l in places]
    return math.sqrt(sum(entry * entry for entry in entries))


def row_figures(row, visible, jacobian, has_choice):
    seen = [weight for weight, is_visible in zip(row, visible) if is_visible]
    row_sum = math.fsum(seen)
    peak = math.nan if math.isnan(row_sum) else max(seen, default=0.0)
    if not seen:
        state = "no visible key"
    elif abs(row_sum - 1) <= 1e-9:
        state = "saturated (one-hot)" if peak >= 0.95 else "peaked" if peak >= 0.75 else "diffuse"
    else:
        state = "not a distribution"
    gradient = "dead" if jacobian < 0.05 else "fading" if jacobian < 0.15 else "alive"
    if math.isnan(jacobian):
        gradient = "undefined"
    return dict(peak=peak, entropy=-math.fsum(a * math.log(a) for a in seen if a != 0) + 0.0,
                maximumEntropy=math.log(len(seen) or 1), jacobian=jacobian, rowSum=row_sum, state=state,
                gradient=gradient if has_choice else "no choice")


def summary(matrix):
    rows, columns = len(matrix), len(matrix[0])
    return dict(shape=[rows, columns], corners=[matrix[0][0], matrix[0][-1], matrix[-1][0], matrix[-1][-1]],
                checksum=math.fsum(matrix[i][j] * (i + 1) * (2 * j + 1) for i in range(rows) for j in range(columns)))


def as_json(value):
    """Lists in lists, with a text in place of what JSON has no number for."""
    if isinstance(value, list):
        return [as_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def lesson(name, **changes):
    state = dict(preset="sentence", tokens=["Your", "journey", "starts", "with", "one", "step"], context=[], dModel=16, dK=16,
                 dV=16, divisor="sqrt", mask="none", window=3, padding=0, projections="separate",
                 softmaxAxis="keys", softmax="stable", blend="values", dropout=0, row=1, seed=50721255)
    state.update(changes)
    X, Wq, Wk, Wv = layer(state)
    context = embeddings(state["context"], state["dModel"], state["seed"], 6)
    source = context or X
    Q, K, V = product(X, Wq), product(source, Wk), product(source, Wv)
    size, keys = len(Q), len(K)

    divisor = dict(sqrt=math.sqrt(state["dK"]), none=1, dk=state["dK"])[state["divisor"]]
    causal = [[j <= i for j in range(keys)] for i in range(size)]
    # A band of the last keys up to the query's own.
    band = [[0 <= i - j < state["window"] for j in range(keys)] for i in range(size)]
    everything = [[True] * keys for _ in range(size)]
    shown = dict(none=everything, causal=causal, window=band, late=causal)[state["mask"]]
    seen = everything if state["mask"] == "late" else shown  # by the softmax
    length = keys - state["padding"]
    shown, seen = ([[row[j] and j < length for j in range(keys)] for row in table] for table in (shown, seen))

    scores = product(Q, transposed(K))
    scaled = [[score / divisor for score in row] for row in scores]
    masked = [[scaled[i][j] if seen[i][j] else -math.inf for j in range(keys)] for i in range(size)]
    normalised = dict(stable=softmax, naive=naive_softmax)[state["softmax"]]
    if state["softmaxAxis"] == "keys":
        weights = [normalised(row) for row in masked]
    else:
        weights = transposed([normalised(column) for column in transposed(masked)])
    soft = weights
    weights = [[weights[i][j] if shown[i][j] else 0.0 for j in range(keys)] for i in range(size)]
    factors = [[1 if shown[i][j] else 0 for j in range(keys)] for i in range(size)]

    p = state["dropout"]
    if p > 0:
        # A stream of uniform numbers for each query, one for each key; what is below p drops the weight.
        draws = [first(keys, uniforms(stream_key(state["seed"], 5, i))) for i in range(size)]
        weights = [[weight / (1 - p) if u >= p else 0.0 for weight, u in zip(*both)] for both in zip(weights, draws)]
        factors = [[factor / (1 - p) if u >= p else 0 for factor, u in zip(*both)] for both in zip(factors, draws)]

    pairs = [scaled[i][j] for i in range(size) for j in range(keys) if seen[i][j]]
    mean = math.fsum(pairs) / len(pairs)
    is_random = state["preset"] == "sentence" and state["projections"] == "separate"
    axis = state["softmaxAxis"]
    # How many scores a weight of the row shares its softmax with.
    partners = [[sum(seen[i]) if axis == "keys" else sum(seen[m][j] for m in range(size)) for j in range(keys)
                 if shown[i][j]] for i in range(size)]
    figures = [row_figures(weights[i], shown[i], jacobian_norm(soft[i], seen[i], factors[i], axis), max(partners[i], default=0) > 1)
               for i in range(size)]
    matrices = dict(X=X, Wq=Wq, Wk=Wk, Wv=Wv, Q=Q, K=K, V=V, **(dict(context=context) if context else {}))
    return dict(name=name, state=state, **{key: summary(matrix) for key, matrix in matrices.items()}, scores=scores,
                masked=as_json(masked), weights=as_json(weights),
                output=as_json(product(weights, dict(values=V, embeddings=source)[state["blend"]])),
                spread=math.sqrt(math.fsum((score - mean) ** 2 for score in pairs) / len(pairs)),
                expectedSpread=math.sqrt(state["dK"]) / divisor if is_random else None,
                rows={key: as_json([row[key] for row in figures]) for key in figures[0]})


def random_section():
    keys = [0, 1, 2958, WORD]
    parts = [[], [0], [1, 2], [2, 1], [0, 1, 2], [2958, 2, 63], [4294967295, 1, text_hash("Grüße")], [WORD, WORD]]
    texts = ["", "a", "foobar", "Your", "Grüße", "🦉", "a\0b"]
    return dict(
        words=[dict(seed=hex(seed), words=[hex(word) for word in first(5, words(seed))]) for seed in [1234567] + keys],
        uniforms=[dict(key=hex(key), numbers=[number.hex() for number in first(4, uniforms(key))]) for key in keys],
        normals=[dict(key=hex(key), numbers=[number.hex() for number in first(100, normals(key))]) for key in keys],
        stream_keys=[dict(words=[hex(word) for word in each], key=hex(stream_key(*each))) for each in parts],
        text_hashes=[dict(text=text, hash=hex(text_hash(text))) for text in texts])


def main():
    lessons = [
        lesson("the default"),
        lesson("no divisor at d_k = 64", dK=64, divisor="none"),
        lesson("divided by d_k", divisor="dk"),
        lesson("causal, other widths, texts beyond ASCII and a repeated token", mask="causal", dModel=9, dK=7, dV=5,
               seed=4294967295, tokens=["Grüße", "an", "🦉", "Grüße", "日本"], row=3),
        lesson("late mask", mask="late", row=4),
        lesson("sliding window", mask="window", dModel=9, dK=7, dV=5, row=4),
        lesson("sliding window of two keys, down the columns, naive", mask="window", window=2, softmaxAxis="queries",
               softmax="naive", dK=5, dV=3, seed=7),
        lesson("padding", padding=2, dModel=9, dK=7, dV=5, row=4),
        lesson("padding, causal, down the columns", padding=2, mask="causal", softmaxAxis="queries", dK=5, dV=3, row=5),
        lesson("padding after a late mask, dropped", padding=1, mask="late", dropout=0.3, dK=5, dV=3, seed=5),
        lesson("a window that holds padding alone", padding=3, mask="window", window=2, dK=4, dV=3, row=5),
        lesson("keys from a second sentence, with a word of the first", context=["a", "longer", "journey", "ends"], dModel=9,
               dK=7, dV=5, row=4),
        lesson("more keys than queries, causal, dropped", tokens=["il", "pleut"], mask="causal", dropout=0.25, seed=3,
               context=["it", "is", "raining", "cats", "and"], dK=4, dV=3),
        lesson("a second sentence that is padded, down the columns", context=["one", "two", "three", "pad"], padding=1,
               softmaxAxis="queries", dK=5, dV=3),
        lesson("a second sentence's embeddings blended, through a window", context=["one", "two", "three"], window=2,
               mask="window", blend="embeddings", dModel=5, dK=4, row=5),
        lesson("one shared matrix", projections="shared"),
        lesson("softmax along the queries, causal", softmaxAxis="queries", mask="causal", dK=5, dV=3, row=2),
        lesson("four tokens", preset="four-token", tokens=["one", "two", "three", "four"], dModel=2, dK=2, dV=2,
               mask="causal"),
        lesson("no parameters", projections="identity"),
        lesson("embeddings blended in place of values, causal", blend="embeddings", mask="causal", dModel=5, dK=4, dV=3,
               row=2),
        lesson("dropout after the softmax, causal", dropout=0.3, mask="causal", dModel=9, dK=7, dV=5, seed=77, row=3),
        lesson("dropout along the wrong axis", dropout=0.5, softmaxAxis="queries", dK=5, dV=3),
        lesson("naive softmax that overflows at d_k = 64", dK=64, divisor="none", softmax="naive"),
    ]
    parts = ['"random": ' + json.dumps(random_section(), ensure_ascii=False),
             '"lessons": [\n' + ",\n".join(json.dumps(each, ensure_ascii=False) for each in lessons) + "\n]"]
    path = pathlib.Path(__file__).with_name("lesson_reference.json")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
