"""Writes gradient_reference.json: gradients of attention and of the layer around it, by PyTorch's autograd in float64.

Only the forward pass is written here, so the C++ core's backward pass and autograd's can only agree by both being
right. Run it by hand, with Python 3 and PyTorch (1.13 made the committed file), where a case is added; tests read the
committed output and need no Python.

    python3 tests/reference/make_gradient_reference.py

The loss is L = sum_ij G_ij Z_ij with Z the output, so that G is the output gradient dL/dZ. The file is one JSON object:

    Q, K, V, G     rows of numbers, of three decimals, which every reader parses to the same float64
    X, W, H        the same for layers
    attention      a list of cases. A case takes the leading block of each matrix:
                     query = Q[:n_query, :d_k], key = K[:n_key, :d_k], value = V[:n_key, :d_v], G[:n_query, :d_v].
    layers         a list of cases. X is taken whole, W_q = W[:, :heads * d_k], W_k the next heads * d_k columns, W_v
                     the next heads * d_v; where they are shared, all three are W_q; in identity each is the unit
                     matrix.
                     The output gradient is H[:, :width of the output].

A case of attention holds its name; n_query, n_key, d_k, d_v; those of the options scale, softcap, is_causal,
query_offset, left_window, right_window, key_length that it sets; boolean_mask or additive_mask where it has one, in
which "-inf" stands for minus infinity; and the gradients of query, key, value and scores (scale * q . k, before the softcap).

A case of a layer holds heads, d_k, d_v (of one head), divisor (a number), and mask, projections, softmax_axis, softmax,
blend, with the values of the widget's attributes; and the gradients of Q, K, V, X, of scores (q . k / divisor) head by
head, and of W_q, W_k, W_v by role. Shared matrices have W_shared too; without parameters none of the four is there.

Numbers are written with as many digits, up to 17, as it takes to give back every bit of a float64.
"""

import json
import math
import pathlib

import torch

torch.set_default_dtype(torch.float64)
INFINITY = float("inf")


def attention_case(inputs, name, n_query, n_key, d_k, d_v, **options):
    query, key, value = (inputs[which][:rows, :columns].clone().requires_grad_()
                         for which, rows, columns in [("Q", n_query, d_k), ("K", n_key, d_k), ("V", n_key, d_v)])
    scores = query @ key.T * options.get("scale", 1 / math.sqrt(d_k))
    scores.retain_grad()
    cap = options.get("softcap", 0)
    masked = cap * torch.tanh(scores / cap) if cap else scores

    position = torch.arange(n_query)[:, None] + options.get("query_offset", 0)
    distance = torch.arange(n_key)[None, :] - position  # of a key to the right of its query
    visible = torch.ones(n_query, n_key, dtype=bool)
    if options.get("is_causal"):
        visible &= distance <= 0
    if options.get("left_window", -1) >= 0:
        visible &= distance >= -options["left_window"]
    if options.get("right_window", -1) >= 0:
        visible &= distance <= options["right_window"]
    visible &= torch.arange(n_key)[None, :] < options.get("key_length", n_key)
    if "boolean_mask" in options:
        visible &= torch.tensor(options["boolean_mask"]) != 0
    if "additive_mask" in options:
        additive = torch.tensor(options["additive_mask"]).expand(n_query, n_key)
        visible &= additive != -INFINITY
        masked = masked + torch.where(visible, additive, torch.zeros(()))

    sees_any = visible.any(dim=1, keepdim=True)
    weights = torch.softmax(masked.masked_fill(sees_any & ~visible, -INFINITY), dim=1) * sees_any
    (weights @ value).backward(inputs["G"][:n_query, :d_v])
    gradients = dict(query=query.grad, key=key.grad, value=value.grad, scores=scores.grad)
    return dict(name=name, n_query=n_query, n_key=n_key, d_k=d_k, d_v=d_v, **options,
                gradients={each: gradient.tolist() for each, gradient in gradients.items()})


def layer_case(inputs, heads=1, d_k=2, d_v=5, divisor=None, mask="none", projections="separate", softmax_axis="keys",
               softmax="stable", blend="values"):
    X = inputs["X"].clone().requires_grad_()
    n, d_model = X.shape
    if projections == "identity":
        d_k = d_v = d_model // heads
    if projections == "shared":
        d_v = d_k
    divisor = math.sqrt(d_k) if divisor is None else divisor
    wide, starts = heads * d_k, [0, heads * d_k, 2 * heads * d_k]
    blocks = [inputs["W"][:, start:start + width] for start, width in zip(starts, [wide, wide, heads * d_v])]
    if projections == "shared":
        blocks = [blocks[0]] * 3
    if projections == "identity":
        blocks = [torch.eye(d_model)] * 3
    weights = [block.clone().requires_grad_() for block in blocks]
    Q, K, V = (X @ W for W in weights)
    for projected in (Q, K, V):
        projected.retain_grad()

    future = torch.ones(n, n, dtype=bool).triu(1)
    all_scores, outputs = [], []
    for head in range(heads):
        q, k = (projected[:, head * d_k:(head + 1) * d_k] for projected in (Q, K))
        scores = q @ k.T / divisor
        scores.retain_grad()
        all_scores.append(scores)
        masked = scores.masked_fill(future, -INFINITY) if mask == "causal" else scores
        axis = 1 if softmax_axis == "keys" else 0
        if softmax == "naive":
            exponentials = torch.exp(masked)
            a = exponentials / exponentials.sum(dim=axis, keepdim=True)
        else:
            a = torch.softmax(masked, dim=axis)
        if mask != "none":
            a = a.masked_fill(future, 0)
        outputs.append(a @ (X if blend == "embeddings" else V[:, head * d_v:(head + 1) * d_v]))
    output = torch.cat(outputs, dim=1)
    output.backward(inputs["H"][:, :output.shape[1]])

    zero = torch.zeros_like(V)
    gradients = dict(Q=Q.grad, K=K.grad, V=zero if V.grad is None else V.grad, X=X.grad)
    if projections != "identity":
        roles = [torch.zeros_like(W) if W.grad is None else W.grad for W in weights]
        gradients.update(zip(["W_q", "W_k", "W_v"], roles))
        if projections == "shared":
            gradients["W_shared"] = sum(roles)
    result = {each: gradient.tolist() for each, gradient in gradients.items()}
    result["scores"] = [scores.grad.tolist() for scores in all_scores]
    return dict(heads=heads, d_k=d_k, d_v=d_v, divisor=divisor, mask=mask, projections=projections,
                softmax_axis=softmax_axis, softmax=softmax, blend=blend, gradients=result)


def as_json(value):
    """JSON has no infinity."""
    if isinstance(value, dict):
        return {name: as_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [as_json(each) for each in value]
    return "-inf" if value == -INFINITY else value


def main():
    torch.manual_seed(7)
    shapes = dict(Q=(5, 7), K=(6, 7), V=(6, 3), G=(5, 3), X=(5, 4), W=(4, 18), H=(5, 12))
    # Decimals of three digits, without negative zeros.
    inputs = {name: torch.tensor([[round(entry, 3) + 0.0 for entry in row] for row in torch.randn(shape).tolist()])
              for name, shape in shapes.items()}

    boolean = [[1, 0, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 0, 0]]
    additive = [[0, -1.5, 2.25, -INFINITY, 0.5, -0.125], [-INFINITY] * 6, [1, 2, -3, 0.75, -INFINITY, 0],
                [-0.5, 0, 0, 4, 1, -2]]
    attention = [
        attention_case(inputs, "plain", 4, 6, 2, 3),
        attention_case(inputs, "one query, one key", 1, 1, 3, 2),
        attention_case(inputs, "more queries than keys", 5, 2, 7, 3),
        attention_case(inputs, "scale 1", 4, 6, 7, 3, scale=1.0),
        attention_case(inputs, "scale 0", 3, 4, 2, 3, scale=0.0),
        attention_case(inputs, "negative scale", 3, 4, 2, 3, scale=-0.75),
        attention_case(inputs, "causal", 4, 6, 2, 3, is_causal=True),
        attention_case(inputs, "causal after two cached keys", 3, 5, 2, 3, is_causal=True, query_offset=2),
        attention_case(inputs, "causal, first two queries blind", 5, 4, 2, 3, is_causal=True, query_offset=-2),
        attention_case(inputs, "window", 5, 6, 3, 2, left_window=1, right_window=2),
        attention_case(inputs, "causal window with padding", 5, 6, 3, 2, is_causal=True, query_offset=1, left_window=2,
                       key_length=4),
        attention_case(inputs, "boolean mask with a blind query", 4, 6, 3, 2, boolean_mask=boolean),
        attention_case(inputs, "additive mask with a blind query", 4, 6, 3, 2, additive_mask=additive),
        attention_case(inputs, "additive mask of one row", 4, 6, 3, 2, additive_mask=[additive[0]]),
        attention_case(inputs, "softcap", 4, 6, 7, 3, scale=1.0, softcap=1.5),
        attention_case(inputs, "softcap, additive mask, causal", 4, 6, 7, 3, softcap=0.8, additive_mask=additive,
                       is_causal=True, query_offset=1),
    ]
    layers = [layer_case(inputs)]
    layers += [layer_case(inputs, divisor=divisor) for divisor in (1.0, 2.0)]
    layers += [layer_case(inputs, mask=mask, softmax_axis=axis) for mask in ("none", "causal", "late")
               for axis in ("keys", "queries") if (mask, axis) != ("none", "keys")]
    layers += [layer_case(inputs, softmax="naive", mask=mask) for mask in ("none", "late")]
    layers += [layer_case(inputs, projections=projections, blend=blend, mask="causal")
               for projections in ("separate", "shared", "identity") for blend in ("values", "embeddings")]
    layers += [layer_case(inputs, heads=2, d_k=3, d_v=2), layer_case(inputs, heads=3, d_k=2, d_v=1, mask="late"),
               layer_case(inputs, heads=2, d_k=3, projections="shared", softmax_axis="queries"),
               layer_case(inputs, heads=2, projections="identity", mask="causal"),
               layer_case(inputs, heads=2, d_k=1, d_v=3, blend="embeddings", mask="causal", divisor=0.5)]

    parts = [f'"{name}": {json.dumps(matrix.tolist())}' for name, matrix in inputs.items()]
    for name, cases in [("attention", attention), ("layers", layers)]:
        parts.append(f'"{name}": [\n' + ",\n".join(json.dumps(as_json(each)) for each in cases) + "\n]")
    path = pathlib.Path(__file__).with_name("gradient_reference.json")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
