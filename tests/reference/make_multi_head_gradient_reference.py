"""Writes multi_head_gradient_reference.json: gradients over batches and heads, by PyTorch's autograd in float64.

Only the forward pass is written here, so the C++ core's backward pass and autograd's can only agree by both being
right. Run it by hand, with Python 3 and PyTorch (1.13 made the committed file), where a case is added; tests read the
committed output and need no Python.

    python3 tests/reference/make_multi_head_gradient_reference.py

The loss is the sum of the output's entries, each times that of the output gradient. Tensors and options are those of
cases of multi_head_reference.json, which are called by their names here. The file is one JSON object:

    outputGradients  by name: {shape, data}, row-major, decimals of three digits
    cases            a list of objects

A case holds the name of a case of multi_head_reference.json; the name of an outputGradient; and the gradients of query,
key, value, and of scores (scale * q . k, before softcap and mask), each {shape, data} with 11 significant digits.
"""

import json
import math
import pathlib

import torch

torch.set_default_dtype(torch.float64)
INFINITY = float("inf")
HERE = pathlib.Path(__file__).parent
NAMES = [
    "rank 2", "rank 2, causal", "rank 2, softcap", "rank 2, scale 1", "windows on rank 2", "key lengths on rank 2",
    "mask of rank 1, boolean, on rank 2", "rank 2, boolean mask, all stages",
    "rank 3", "rank 3, scale 0", "rank 3, grouped, causal", "rank 3, one key head", "rank 3, boolean mask, all stages",
    "a query sees nothing, causal", "causal with an offset for each batch",
    "both windows, an offset for each batch", "a key length of 0", "everything at once",
    "rank 4", "rank 4, softcap", "rank 4, grouped, additive mask", "rank 4, one key head, causal", "a negative scale",
    "mask of rank 1", "mask of rank 2, one key wide", "mask of rank 3", "mask of rank 4, one for all heads, grouped",
    "mask of rank 4, every axis, causal", "softcap before a mask with -inf", "a query sees nothing, -1e9",
    "queries before the keys see nothing", "a cache, grouped, softcap", "left window, causal, all stages",
    "key lengths, window and mask",
]


def tensor_from(json_tensor):
    numbers = [-INFINITY if number == "-inf" else number for number in json_tensor["data"]]
    return torch.tensor(numbers, dtype=torch.float64).reshape(json_tensor["shape"])


def heads_apart(tensor, heads):
    """(batches, heads, tokens, width), whatever the rank."""
    if tensor.dim() == 2:
        return tensor.reshape(1, 1, *tensor.shape)
    return tensor.unflatten(2, (heads, -1)).transpose(1, 2) if tensor.dim() == 3 else tensor


def per_batch(numbers):
    """One number for all batches, or one for each, to go with (batches, heads, queries, keys)."""
    return torch.tensor(numbers).reshape(-1, 1, 1, 1)


def visibility(n_query, n_key, options):
    distance = torch.arange(n_key) - torch.arange(n_query)[:, None] - per_batch(options.get("queryOffset", 0))
    visible = torch.arange(n_key) < per_batch(options.get("keyLengths", n_key))
    if options.get("isCausal"):
        visible = visible & (distance <= 0)
    if options.get("leftWindow", -1) >= 0:
        visible = visible & (distance >= -options["leftWindow"])
    if options.get("rightWindow", -1) >= 0:
        visible = visible & (distance <= options["rightWindow"])
    return visible


def gradients_of(case, tensors, output_gradients):
    options = case["options"]
    query, key, value = (tensor_from(tensors[case[name]]).requires_grad_() for name in ("query", "key", "value"))
    q = heads_apart(query, options.get("heads", 1))
    k, v = (heads_apart(tensor, options.get("keyValueHeads", 1)) for tensor in (key, value))
    group = q.shape[1] // k.shape[1]
    scale = options.get("scale", 1 / math.sqrt(q.shape[3]))
    scores = q @ k.repeat_interleave(group, dim=1).transpose(2, 3) * scale
    scores.retain_grad()
    cap = options.get("softcap", 0)
    masked = cap * torch.tanh(scores / cap) if cap else scores

    visible = visibility(*scores.shape[2:], options).expand(scores.shape)
    if "mask" in case:
        mask = tensor_from(tensors[case["mask"]]).expand(scores.shape)
        if case["mask"].endswith("boolean"):
            visible = visible & (mask != 0)
        else:
            visible = visible & (mask > -1e9)
            masked = masked + mask.masked_fill(~visible, 0)
    sees_any = visible.any(dim=3, keepdim=True)
    weights = torch.softmax(masked.masked_fill(sees_any & ~visible, -INFINITY), dim=3) * sees_any
    output = weights @ v.repeat_interleave(group, dim=1)
    if query.dim() == 3:
        output = output.transpose(1, 2).flatten(2)
    elif query.dim() == 2:
        output = output[0, 0]

    name = " by ".join(map(str, output.shape))
    if name not in output_gradients:
        drawn = [round(entry, 3) + 0.0 for entry in torch.randn(output.numel()).tolist()]  # no negative zeros
        output_gradients[name] = torch.tensor(drawn).reshape(output.shape)
    output.backward(output_gradients[name])
    of_scores = scores.grad[0, 0] if query.dim() == 2 else scores.grad
    gradients = dict(query=query.grad, key=key.grad, value=value.grad, scores=of_scores)
    assert all(torch.isfinite(gradient).all() for gradient in gradients.values()), case["name"]
    return dict(name=case["name"], outputGradient=name,
                gradients={each: as_json(gradient) for each, gradient in gradients.items()})


def as_json(tensor):
    numbers = [float(f"{number:.11g}") + 0.0 for number in tensor.flatten().tolist()]
    return dict(shape=list(tensor.shape), data=[int(number) if number in (0, 1) else number for number in numbers])


def main():
    torch.manual_seed(7)
    inputs = json.loads((HERE / "multi_head_reference.json").read_text())
    by_name = {case["name"]: case for case in inputs["cases"]}
    output_gradients = {}
    cases = [gradients_of(by_name[name], inputs["tensors"], output_gradients) for name in NAMES]
    compact = json.JSONEncoder(separators=(",", ":")).encode
    lines = [f"{compact(name)}:{compact(as_json(each))}" for name, each in output_gradients.items()]
    parts = ['"outputGradients": {\n' + ",\n".join(lines) + "\n}",
             '"cases": [\n' + ",\n".join(compact(each) for each in cases) + "\n]"]
    (HERE / "multi_head_gradient_reference.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
