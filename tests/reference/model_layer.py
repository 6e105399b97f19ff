"""Layer 0 of GPT-2 and BERT by their definition, in NumPy and float64, out of files in the layout that models are published in.

It shares no code with the C++ core, nor with the page's readers: it parses .safetensors itself. Tests run it, because a layer of
true width is too large to be committed.

    python3 tests/reference/model_layer.py make FOLDER FAMILY D_MODEL HEADS DTYPE SEED   # writes a model of random weights
    python3 tests/reference/model_layer.py compute FOLDER ID...                          # prints every head as JSON

`make` writes config.json and model.safetensors: 300 words, 64 positions, 2 layers, of which layer 1 and what stands beside the
heads are there to be passed by. FAMILY is gpt2 or bert; DTYPE is F64, F32, F16 or BF16. The tables of GPT-2 stand under
"transformer.", those of BERT under "bert.".

`compute` prints {X, Q, K, V, scores, weights, output}: X (n, d_model), then for each head a matrix.
"""

import json
import pathlib
import struct
import sys

import numpy as np

WORDS, POSITIONS = 300, 64


def to_bytes(array, dtype):
    if dtype == "BF16":
        return (array.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    return array.astype({"F64": "<f8", "F32": "<f4", "F16": "<f2"}[dtype]).tobytes()


def from_bytes(raw, dtype):
    if dtype == "BF16":
        return (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4").astype(float)
    return np.frombuffer(raw, {"F64": "<f8", "F32": "<f4", "F16": "<f2"}[dtype]).astype(float)


def shapes_of(family, d):
    if family == "gpt2":
        shapes = {"wte.weight": (WORDS, d), "wpe.weight": (POSITIONS, d)}
        for layer in range(2):
            shapes.update({
                f"h.{layer}.ln_1.weight": (d,), f"h.{layer}.ln_1.bias": (d,),
                f"h.{layer}.attn.bias": (1, 1, 4, 4),
                f"h.{layer}.attn.c_attn.weight": (d, 3 * d), f"h.{layer}.attn.c_attn.bias": (3 * d,),
                f"h.{layer}.attn.c_proj.weight": (d, d), f"h.{layer}.attn.c_proj.bias": (d,),
            })
        return {"transformer." + name: shape for name, shape in shapes.items()}
    shapes = {"embeddings.word_embeddings.weight": (WORDS, d), "embeddings.position_embeddings.weight": (POSITIONS, d),
              "embeddings.token_type_embeddings.weight": (2, d), "embeddings.LayerNorm.weight": (d,),
              "embeddings.LayerNorm.bias": (d,)}
    for layer in range(2):
        for role in ("query", "key", "value"):
            shapes[f"encoder.layer.{layer}.attention.self.{role}.weight"] = (d, d)
            shapes[f"encoder.layer.{layer}.attention.self.{role}.bias"] = (d,)
    return {"bert." + name: shape for name, shape in shapes.items()}


def make(folder, family, d, heads, dtype, seed):
    source = np.random.RandomState(seed)  # its stream is frozen across versions of NumPy
    header, data, at = {}, [], 0
    for name, shape in shapes_of(family, d).items():
        numbers = source.standard_normal(shape)
        if name.endswith(("ln_1.weight", "LayerNorm.weight")):
            numbers = 1 + 0.3 * numbers
        elif "attn" in name or "attention" in name:
            numbers = numbers * (2 / np.sqrt(d) if len(shape) > 1 else 0.5)
        raw = to_bytes(numbers, dtype)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))
    config = {"gpt2": {"model_type": "gpt2", "n_embd": d, "n_head": heads, "n_positions": POSITIONS, "vocab_size": WORDS,
                       "layer_norm_epsilon": 1e-5},
              "bert": {"model_type": "bert", "hidden_size": d, "num_attention_heads": heads,
                       "max_position_embeddings": POSITIONS, "vocab_size": WORDS, "layer_norm_eps": 1e-12,
                       "position_embedding_type": "absolute"}}[family]
    (folder / "config.json").write_text(json.dumps(config))


def compute(folder, ids):
    config = json.loads((folder / "config.json").read_text())
    raw = (folder / "model.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])

    def tensor(name):
        entry = header[name]
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        return from_bytes(raw[start:end], entry["dtype"]).reshape(entry["shape"])

    n = len(ids)
    if config["model_type"] == "gpt2":
        heads, epsilon = config["n_head"], config["layer_norm_epsilon"]
        embedded = tensor("transformer.wte.weight")[ids] + tensor("transformer.wpe.weight")[:n]
        gain, bias = tensor("transformer.h.0.ln_1.weight"), tensor("transformer.h.0.ln_1.bias")
    else:
        heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
        embedded = (tensor("bert.embeddings.word_embeddings.weight")[ids]
                    + tensor("bert.embeddings.position_embeddings.weight")[:n]
                    + tensor("bert.embeddings.token_type_embeddings.weight")[0])
        gain, bias = tensor("bert.embeddings.LayerNorm.weight"), tensor("bert.embeddings.LayerNorm.bias")
    X = (embedded - embedded.mean(1, keepdims=True)) / np.sqrt(embedded.var(1, keepdims=True) + epsilon) * gain + bias
    if config["model_type"] == "gpt2":
        joined = X @ tensor("transformer.h.0.attn.c_attn.weight") + tensor("transformer.h.0.attn.c_attn.bias")
        roles = np.split(joined, 3, axis=1)
    else:
        self_attention = "bert.encoder.layer.0.attention.self."
        roles = [X @ tensor(self_attention + role + ".weight").T + tensor(self_attention + role + ".bias")
                 for role in ("query", "key", "value")]
    Q, K, V = (role.reshape(n, heads, -1).swapaxes(0, 1) for role in roles)
    scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])
    visible = np.tril(np.ones((n, n), bool)) if config["model_type"] == "gpt2" else np.ones((n, n), bool)
    raised = np.where(visible, np.exp(scores - np.where(visible, scores, -np.inf).max(2, keepdims=True)), 0)
    weights = raised / raised.sum(2, keepdims=True)
    return {"X": X, "Q": Q, "K": K, "V": V, "scores": scores, "weights": weights, "output": weights @ V}


if __name__ == "__main__":
    what, folder, *rest = sys.argv[1:]
    if what == "make":
        family, d_model, heads, dtype, seed = rest
        make(pathlib.Path(folder), family, int(d_model), int(heads), dtype, int(seed))
    else:
        result = compute(pathlib.Path(folder), [int(number) for number in rest])
        print(json.dumps({name: array.tolist() for name, array in result.items()}))
