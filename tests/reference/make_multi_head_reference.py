"""Writes multi_head_reference.json: attention over batches and heads by its definition, in NumPy and float64.

It shares no code with the C++ core, so the two can only agree by both being right. Run it by hand, with Python 3 and
NumPy, where a case is added; tests read the committed output and need no Python.

    python3 tests/reference/make_multi_head_reference.py

The file is one JSON object:

    tensors  by name: {shape, data}, row-major. Decimals of three digits, or numbers that half precision holds; an
             additive mask may hold "-inf", and a boolean mask is 0 and 1, its name ending in "boolean".
    cases    a list of objects

A case holds:

    name                     what is special about it; no two are alike
    query, key, value, mask  names of tensors; mask may be absent
    options                  what else the call is given: scale, softcap, isCausal, queryOffset (one number, or one for
                             each batch), leftWindow, rightWindow, keyLengths, heads, keyValueHeads
    isHalf                   true where inputs are half-precision numbers and results were rounded to them
    results                  by name: {shape, data}; output, and some of scores, capped, masked, weights

Results are written with 11 significant digits.

A cache of earlier keys is the caller's: where a case has one, it stands in front of the key, and queryOffset is its
length. A mask that is shorter than the keys is filled up with hidden.
"""

import json
import pathlib

import numpy as np

BATCHES, HEADS, SHARED, QUERIES, KEYS, D_K, D_V = 2, 6, 3, 4, 5, 8, 7  # no two alike, so that mixed-up axes show
HIDDEN_BELOW = -1e9

source = np.random.RandomState(2017)  # its stream is frozen across versions of NumPy
tensors = {}
cases = []


def draw(name, *shape):
    tensors[name] = source.standard_normal(shape).round(3) + 0.0  # no negative zeros


def heads_apart(tensor, heads):
    """(batches, heads, tokens, width), whatever the rank."""
    if tensor.ndim == 2:
        return tensor[None, None]
    if tensor.ndim == 3:
        return np.stack(np.split(tensor, heads, axis=2), axis=1)
    return tensor


def as_query(tensor, rank):
    if rank == 2:
        return tensor[0, 0]
    return np.concatenate(list(tensor.swapaxes(0, 1)), axis=2) if rank == 3 else tensor


def visibility(shape, isCausal=False, queryOffset=0, leftWindow=-1, rightWindow=-1, keyLengths=None):
    """Which query may look at which key by position alone, asked cell by cell."""
    visible = np.zeros(shape, dtype=bool)
    for batch, head, query, key in np.ndindex(*shape):
        offset = queryOffset[batch] if isinstance(queryOffset, list) else queryOffset
        distance = key - (query + offset)  # positive to the right
        visible[batch, head, query, key] = (
            (not isCausal or distance <= 0)
            and (leftWindow == -1 or distance >= -leftWindow)
            and (rightWindow == -1 or distance <= rightWindow)
            and (keyLengths is None or key < keyLengths[batch]))
    return visible


def attention(query, key, value, mask, scale=None, softcap=0, heads=1, keyValueHeads=1, **rule):
    rank = query.ndim
    q, k, v = heads_apart(query, heads), heads_apart(key, keyValueHeads), heads_apart(value, keyValueHeads)
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat(group, axis=1), v.repeat(group, axis=1)
    scores = np.einsum("bhic,bhjc->bhij", q, k) * (1 / np.sqrt(q.shape[3]) if scale is None else scale)
    capped = softcap * np.tanh(scores / softcap) if softcap else scores
    visible = visibility(scores.shape, **rule)
    added = np.zeros(())
    if mask is not None and mask.dtype == bool:
        visible = visible & mask
    elif mask is not None:
        visible = visible & (mask > HIDDEN_BELOW)
        added = np.where(mask > HIDDEN_BELOW, mask, 0)
    masked = np.where(visible, capped + added, -np.inf)
    largest = np.where(visible.any(axis=3, keepdims=True), masked.max(axis=3, keepdims=True), 0)
    exponentials = np.exp(masked - largest)
    totals = exponentials.sum(axis=3, keepdims=True)
    weights = exponentials / np.where(totals == 0, 1, totals)
    output = as_query(np.einsum("bhij,bhjc->bhic", weights, v), rank)
    stages = dict(scores=scores, capped=capped, masked=masked, weights=weights)
    if rank == 2:
        stages = {name: stage[0, 0] for name, stage in stages.items()}
    return dict(output=output, **stages)


def case(name, query, key, value, mask=None, returns=(), **options):
    is_half = query.endswith("half")
    results = attention(tensors[query], tensors[key], tensors[value], tensors.get(mask), **options)
    results = {each: results[each].astype(np.float16) if is_half else results[each] for each in ("output", *returns)}
    assert all(each["name"] != name for each in cases), name
    cases.append(dict(name=name, query=query, key=key, value=value, **({"mask": mask} if mask else {}),
                      options=options, isHalf=is_half, results={each: as_json(tensor)
                                                                 for each, tensor in results.items()}))


def as_json(tensor):
    numbers = ["-inf" if number == -np.inf else float(f"{number:.11g}") for number in tensor.astype(float).flat]
    return dict(shape=list(tensor.shape), data=[int(number) if number in (0, 1) else number for number in numbers])


ALL = ("scores", "capped", "masked", "weights")


def make_tensors():
    draw("query 2", QUERIES, D_K)
    draw("key 2", KEYS, D_K)
    draw("value 2", KEYS, D_V)
    draw("query 3", BATCHES, QUERIES, SHARED * D_K)
    draw("key 3", BATCHES, KEYS, SHARED * D_K)
    draw("value 3", BATCHES, KEYS, SHARED * D_V)
    draw("query 3 of six", BATCHES, QUERIES, HEADS * D_K)
    draw("key 3 of one", BATCHES, KEYS, D_K)
    draw("value 3 of one", BATCHES, KEYS, D_V)
    draw("query 4", BATCHES, SHARED, QUERIES, D_K)
    draw("key 4", BATCHES, SHARED, KEYS, D_K)
    draw("value 4", BATCHES, SHARED, KEYS, D_V)
    draw("query 4 of six", BATCHES, HEADS, QUERIES, D_K)
    draw("key 4 of one", BATCHES, 1, KEYS, D_K)
    draw("value 4 of one", BATCHES, 1, KEYS, D_V)
    draw("long key 4", BATCHES, SHARED, KEYS + 4, D_K)  # four keys from a cache, then the key's own
    draw("long value 4", BATCHES, SHARED, KEYS + 4, D_V)
    for name in ["query 4", "key 4", "value 4", "query 4 of six"]:
        tensors[name + " half"] = tensors[name].astype(np.float16).astype(float)

    shapes = {"key": (KEYS,), "query by key": (QUERIES, KEYS), "query": (QUERIES, 1), "head": (SHARED, 1, KEYS),
              "batch": (BATCHES, 1, QUERIES, KEYS), "everything": (BATCHES, SHARED, QUERIES, KEYS),
              "head by query": (1, SHARED, QUERIES, 1), "six heads": (BATCHES, HEADS, QUERIES, KEYS),
              "long": (QUERIES, KEYS + 4)}
    for name, shape in shapes.items():
        draw(name, *shape)
        hidden = source.random_sample(shape) < 0.25
        tensors[name + ", -inf"] = np.where(hidden, -np.inf, tensors[name])
        tensors[name + ", boolean"] = source.random_sample(shape) < 0.7
    # The second query sees nothing, and the fourth one key.
    lone = np.array([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 1], [0, 0, 0, 1, 0]], dtype=bool)
    tensors["lone, boolean"] = lone
    tensors["lone, -inf"] = np.where(lone, tensors["query by key"], -np.inf)
    tensors["lone, -1e9"] = np.where(lone, tensors["query by key"], -1e9)
    short = tensors["query by key"][:, :3]
    tensors["filled up, -inf"] = np.concatenate([short, np.full((QUERIES, 2), -np.inf)], axis=1)


def make_cases():
    three = dict(query="query 3", key="key 3", value="value 3", heads=SHARED, keyValueHeads=SHARED)
    four = dict(query="query 4", key="key 4", value="value 4")
    plain = {"rank 2": dict(query="query 2", key="key 2", value="value 2"),
             "rank 3": three, "rank 4": four,
             "rank 3, grouped": {**three, "query": "query 3 of six", "heads": HEADS},
             "rank 3, one key head": dict(query="query 3", key="key 3 of one", value="value 3 of one", heads=SHARED,
                                          keyValueHeads=1),
             "rank 4, grouped": {**four, "query": "query 4 of six"},
             "rank 4, one key head": dict(query="query 4", key="key 4 of one", value="value 4 of one")}
    for name, call in plain.items():
        case(name, **call)
        case(name + ", causal", isCausal=True, **call)
        if "key head" not in name:
            case(name + ", softcap", softcap=0.75, **call)
            case(name + ", additive mask", mask="query by key", **call)
    for name in ["rank 2", "rank 3", "rank 4"]:
        case(name + ", boolean mask, all stages", mask="query by key, boolean", softcap=2, returns=ALL, **plain[name])
        case(name + ", scale 0", scale=0, **plain[name])
        case(name + ", scale 1", scale=1, **plain[name])
        case(name + ", no scale, scores", returns=("scores",), **plain[name])
    case("a negative scale", scale=-0.3, **four)

    case("mask of rank 1", mask="key", **four)
    case("mask of rank 1, boolean, on rank 2", mask="key, boolean", **plain["rank 2"])
    case("mask of rank 2, one key wide", mask="query", **four)
    case("mask of rank 3", mask="head, -inf", **four)
    case("mask of rank 3, boolean", mask="head, boolean", **three)
    case("mask of rank 4, one for all heads", mask="batch, -inf", **four)
    case("mask of rank 4, one for all heads, grouped", mask="batch, boolean", **plain["rank 4, grouped"])
    case("mask of rank 4, every axis", mask="everything", returns=("masked",), **four)
    case("mask of rank 4, every axis, boolean", mask="everything, boolean", **three)
    case("mask of rank 4, every axis, causal", mask="everything, -inf", isCausal=True, **four)
    case("mask of rank 4, one for all batches", mask="head by query", **four)
    case("mask of rank 4, grouped", mask="six heads, -inf", **plain["rank 3, grouped"])
    case("softcap before a mask with -inf", mask="query by key, -inf", softcap=0.5, returns=("capped", "masked"),
         **four)

    for kind in ["boolean", "-inf", "-1e9"]:
        case(f"a query sees nothing, {kind}", mask=f"lone, {kind}", returns=("weights",), **four)
    case("a query sees nothing, causal", mask="lone, boolean", isCausal=True, returns=("weights",), **three)
    case("queries before the keys see nothing", isCausal=True, queryOffset=-2, **four)

    case("causal with an offset", isCausal=True, queryOffset=1, **four)
    case("causal with an offset for each batch", isCausal=True, queryOffset=[1, -1], **three)
    case("an offset alone hides nothing", queryOffset=2, **four)
    cached = {**four, "key": "long key 4", "value": "long value 4"}
    case("a cache", isCausal=True, queryOffset=4, **cached)
    case("a cache and a mask", mask="long, -inf", isCausal=True, queryOffset=4, returns=("masked",), **cached)
    case("a cache, grouped, softcap", softcap=2, isCausal=True, queryOffset=4,
         **{**cached, "query": "query 4 of six"})

    case("left window", leftWindow=1, **four)
    case("right window", rightWindow=1, **three)
    case("both windows of 0", leftWindow=0, rightWindow=0, **four)
    case("left window, causal, all stages", leftWindow=2, isCausal=True, softcap=1.5, returns=ALL,
         mask="six heads, boolean", **plain["rank 4, grouped"])
    case("left window and a cache", leftWindow=2, isCausal=True, queryOffset=4, **cached)
    case("both windows, an offset for each batch", leftWindow=1, rightWindow=2, queryOffset=[2, 0], **three)
    case("windows on rank 2", leftWindow=1, rightWindow=0, queryOffset=1, returns=("weights",), **plain["rank 2"])

    case("key lengths", keyLengths=[3, 5], **four)
    case("key lengths on rank 2", keyLengths=[2], **plain["rank 2"])
    case("a key length of 0", keyLengths=[4, 0], returns=("weights",), **three)
    case("key lengths, queries at the end", keyLengths=[4, 5], isCausal=True, queryOffset=[0, 1], **four)
    case("key lengths, grouped, queries at the end", keyLengths=[3, 5], isCausal=True, queryOffset=[-1, 1],
         **plain["rank 4, grouped"])
    case("key lengths, window and mask", keyLengths=[7, 9], isCausal=True, queryOffset=[3, 5], leftWindow=2,
         mask="long, -inf", returns=("weights",), **cached)
    case("key lengths and a mask filled up with hidden", keyLengths=[3, 2], mask="filled up, -inf", **four)
    case("everything at once", scale=0.4, softcap=1.2, mask="six heads, -inf", isCausal=True, queryOffset=[1, 0],
         leftWindow=3, rightWindow=0, keyLengths=[5, 4], returns=ALL, **plain["rank 3, grouped"])

    half = dict(query="query 4 half", key="key 4 half", value="value 4 half")
    case("half precision", **half)
    case("half precision, grouped, causal", isCausal=True, **{**half, "query": "query 4 of six half"})
    case("half precision, boolean mask", mask="query by key, boolean", returns=("weights",), **half)
    case("half precision, key lengths", keyLengths=[4, 5], isCausal=True, queryOffset=[0, 1], leftWindow=2, **half)


def main():
    make_tensors()
    make_cases()
    used = {each[name] for each in cases for name in ("query", "key", "value", "mask") if name in each}
    kept = {name: as_json(tensor) for name, tensor in tensors.items() if name in used}
    compact = json.JSONEncoder(separators=(",", ":")).encode
    lines = [f"{compact(name)}:{compact(each)}" for name, each in kept.items()]
    parts = ['"tensors": {\n' + ",\n".join(lines) + "\n}",
             '"cases": [\n' + ",\n".join(compact(each) for each in cases) + "\n]"]
    path = pathlib.Path(__file__).with_name("multi_head_reference.json")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
