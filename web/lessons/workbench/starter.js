// What the editor holds at first: it runs, and is wrong.

export default `// Row i of attention. Q, K and V are lists of rows.
function attention_row(i, Q, K, V, causal) {
  const q = Q[i];
  const n = K.length;

  // 1. One score for each key: q · K[j], divided by √d_k.
  // 2. Where causal, and j > i: the score is -Infinity.
  // 3. The stable softmax of the scores.
  const weights = K.map(() => 1 / n);

  // 4. The weights times V.
  const output = V[0].map(() => 0);

  return { weights, output };
}
`;
