// The laws of self-attention through WebAssembly: each on a state where it holds and on the mistake that breaks it.
// Covers `proofs` of engine/lesson-engine.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, assertRowClose, loadEngine, rowsOf } from '../support.mjs';

/** @typedef {Partial<import('../../../web/engine/lesson-state.js').LessonState>} State */
/** @typedef {import('../../../web/engine/lesson-engine.js').Proof} Proof */

const engine = await loadEngine();

const laws = [
  'weightsAreFinite',
  'rowsSumToOne',
  'futureIsHidden',
  'pastIsUntouched',
  'windowIsKept',
  'paddingIsHidden',
  'paddingDoesNotCount',
  'orderDoesNotCount',
  'outputHasShape',
  'valuesAreBlended',
  'rolesDiffer',
  'somethingCanLearn',
  'spreadIsKept',
  'entropyIsKept',
  'gradientIsAlive',
];

/** @type {State} whose exponentials half precision cannot hold: rows 0, 2, 3 and 5 break */
const overflowing = { dK: 64, divisor: 'none', softmax: 'naive' };

/** @param {string} law @param {State} [state] */
function proofOf(law, state) {
  const proof = engine.proofs(state).find((each) => each.law === law);
  assert.ok(proof !== undefined, law);
  return proof;
}

/** @param {Proof['outcome']} outcome @param {State} [state] */
const lawsThat = (outcome, state) =>
  engine
    .proofs(state)
    .filter((proof) => proof.outcome === outcome)
    .map(({ law }) => law);

test('the proofs are of fifteen laws, in one order', () => {
  const proofs = engine.proofs();
  assert.deepEqual(
    proofs.map(({ law }) => law),
    laws,
  );
  const keys = ['law', 'outcome', 'residual', 'tolerance', 'found', 'expected', 'residuals'];
  for (const proof of proofs) {
    assert.deepEqual(Object.keys(proof), keys);
  }
});

test('the default lesson breaks no law at any d_k of the slider, masked or not', () => {
  for (let dK = 2; dK <= 64; dK++) {
    assert.deepEqual(lawsThat('fails', { dK }), [], `d_k = ${dK}`);
  }
  const padding = ['paddingIsHidden', 'paddingDoesNotCount'];
  assert.deepEqual(lawsThat('notClaimed'), ['futureIsHidden', 'pastIsUntouched', 'windowIsKept', ...padding]);
  assert.deepEqual(lawsThat('fails', { mask: 'causal' }), []);
  assert.deepEqual(lawsThat('notClaimed', { mask: 'causal' }), ['windowIsKept', ...padding, 'orderDoesNotCount']);
  assert.deepEqual(lawsThat('fails', { preset: 'four-token' }), []);
  assert.deepEqual(lawsThat('notClaimed', { preset: 'four-token' }), [
    'windowIsKept',
    ...padding,
    'orderDoesNotCount',
    'spreadIsKept',
  ]);
});

test('a sliding window claims what a causal mask does, and that what lies before it is out of sight', () => {
  for (const window of [1, 2, 3, 6]) {
    assert.deepEqual(lawsThat('fails', { mask: 'window', window }), [], `window = ${window}`);
    assert.deepEqual(lawsThat('notClaimed', { mask: 'window', window, padding: 1 }), ['orderDoesNotCount']);
  }
  const { found, residual } = proofOf('windowIsKept', { mask: 'causal', window: 2 });
  assert.deepEqual(found.slice(0, 2), [0, 0]);
  const { data } = engine.lesson({ mask: 'causal' }).weights;
  assert.equal(found[3], Math.max(data[18], data[19]), 'the keys of row 3 that a window of 2 would hide');
  assert.equal(residual, Math.max(...found));
});

test('padding keeps its laws, and a softmax down the columns breaks that it does not count', () => {
  for (const state of /** @type {State[]} */ ([
    { padding: 2 },
    { padding: 5, mask: 'causal' },
    { padding: 3, heads: 2 },
  ])) {
    assert.deepEqual(lawsThat('fails', state), [], JSON.stringify(state));
    assert.equal(proofOf('paddingDoesNotCount', state).found.length, 6 - Number(state.padding));
    assert.ok(lawsThat('notClaimed', state).includes('orderDoesNotCount'));
  }
  const broken = ['rowsSumToOne', 'paddingDoesNotCount'];
  assert.deepEqual(lawsThat('fails', { padding: 2, softmaxAxis: 'queries' }), broken);
});

test('with a second sentence the order of keys does not count, and what is about one sentence is not claimed', () => {
  const context = ['some', 'other', 'words'];
  assert.deepEqual(lawsThat('fails', { context }), []);
  assert.deepEqual(lawsThat('notClaimed', { context }), [
    ...['futureIsHidden', 'pastIsUntouched', 'windowIsKept', 'paddingIsHidden', 'paddingDoesNotCount', 'rolesDiffer'],
  ]);
  const order = proofOf('orderDoesNotCount', { context });
  const outputs = rowsOf(engine.lesson({ context }).output);
  assertRowClose(
    order.found,
    outputs.map(([first]) => first),
    1e-12,
  );
  assert.equal(proofOf('paddingDoesNotCount', { context, padding: 2 }).found.length, 6, 'no query is padding');
  assert.deepEqual(lawsThat('fails', { context, padding: 2, mask: 'causal' }), []);
  assert.ok(lawsThat('fails', { context, dropout: 0.5 }).includes('orderDoesNotCount'));
});

test('every mistake breaks the laws that it is about', () => {
  for (const [state, broken] of /** @type {[State, string[]][]} */ ([
    [{ divisor: 'none' }, ['spreadIsKept', 'entropyIsKept', 'gradientIsAlive']],
    [{ divisor: 'dk' }, ['spreadIsKept']],
    [{ projections: 'shared' }, ['rolesDiffer', 'gradientIsAlive']],
    [{ projections: 'identity' }, ['rolesDiffer', 'somethingCanLearn']],
    [{ softmaxAxis: 'queries' }, ['rowsSumToOne']],
    [{ mask: 'late' }, ['rowsSumToOne', 'pastIsUntouched']],
    [{ dropout: 0.5 }, ['rowsSumToOne', 'orderDoesNotCount']],
    [{ dropout: 0.8, mask: 'causal' }, ['rowsSumToOne', 'gradientIsAlive']], // one row keeps no weight
    [{ blend: 'embeddings' }, ['valuesAreBlended']],
    [{ blend: 'embeddings', dV: 5 }, ['outputHasShape', 'valuesAreBlended']],
    [
      overflowing,
      [
        'weightsAreFinite',
        'rowsSumToOne',
        'orderDoesNotCount',
        'valuesAreBlended',
        'spreadIsKept',
        'entropyIsKept',
        'gradientIsAlive',
      ],
    ],
  ])) {
    assert.deepEqual(lawsThat('fails', state), broken, JSON.stringify(state));
  }
});

test('a residual stands beside each pair of found and expected, and the worst of them decides', () => {
  const many = Array.from({ length: 40 }, (_, index) => `tok${index}`);
  /** @type {State[]} */
  const states = [
    {},
    { mask: 'causal' },
    { mask: 'late' },
    { softmaxAxis: 'queries', mask: 'causal' },
    { blend: 'embeddings', dV: 3 },
    { preset: 'four-token' },
    { tokens: ['alone'] },
    { tokens: many },
    overflowing,
    { ...overflowing, mask: 'causal' },
  ];
  for (const state of states) {
    for (const { law, outcome, residual, tolerance, found, expected, residuals } of engine.proofs(state)) {
      const name = `${law} of ${JSON.stringify(state).slice(0, 80)}`;
      assert.equal(expected.length, found.length, name);
      assert.equal(residuals.length, found.length, name);
      assert.ok(Object.is(residual, Math.max(0, ...residuals)), `${name}: ${residual}`);
      assert.ok(tolerance >= 0, name);
      if (outcome !== 'notClaimed') {
        assert.equal(outcome, residual <= tolerance ? 'holds' : 'fails', name);
      }
    }
  }
});

test('a residual that is not a number fails, also where the last row is right', () => {
  const proof = proofOf('rowsSumToOne', { ...overflowing, tokens: ['Your', 'journey', 'starts', 'with'] });
  assert.ok(Number.isNaN(proof.residual));
  assert.ok((proof.residuals.at(-1) ?? 1) <= 1e-12);
  assert.equal(proof.outcome, 'fails');
  assert.deepEqual(proofOf('weightsAreFinite', overflowing).found, [1, 1, 1, 0, 1, 0]);
});

test('rows along the wrong axis miss 1 by what their weights add up to', () => {
  /** @type {State} */
  const state = { softmaxAxis: 'queries' };
  const sums = rowsOf(engine.lesson(state).weights).map((row) => row.reduce((sum, weight) => sum + weight, 0));
  const { found, expected, residual } = proofOf('rowsSumToOne', state);
  assertRowClose(found, sums, 1e-13);
  assert.deepEqual(expected, Array(6).fill(1));
  assertRowClose([residual], [Math.max(...sums.map((sum) => Math.abs(sum - 1)))], 1e-13);
});

test('a late mask loses more than six parts in seven of the first of the four tokens’ weight', () => {
  const e = (/** @type {number} */ score) => Math.exp(score / Math.SQRT2);
  const { found, residual, outcome } = proofOf('rowsSumToOne', { preset: 'four-token', mask: 'late' });
  assertRowClose([found[0]], [e(1) / (e(1) + e(2) + e(3) + e(-1))], 1e-13);
  assertRowClose([residual], [0.8645808890652698], 1e-13);
  assert.equal(outcome, 'fails');
});

test('a causal mask hides the future and keeps the past, both exactly, and without one both are measured', () => {
  /** @type {State} */
  const causal = { mask: 'causal' };
  assert.deepEqual(proofOf('futureIsHidden', causal).found, Array(6).fill(0));
  assert.equal(proofOf('futureIsHidden', causal).outcome, 'holds');
  const untouched = proofOf('pastIsUntouched', causal);
  assert.equal(untouched.residual, 0);
  assert.equal(untouched.outcome, 'holds');
  assert.deepEqual(untouched.found, untouched.expected);
  const firsts = rowsOf(engine.lesson(causal).output).map((row) => row[0]);
  assert.deepEqual(untouched.expected, firsts.slice(0, 5));
  const ahead = rowsOf(engine.lesson().weights).map((row, i) => Math.max(0, ...row.slice(i + 1)));
  assert.deepEqual(proofOf('futureIsHidden').found, ahead);
  assert.equal(proofOf('futureIsHidden').residual, Math.max(...ahead));
  assert.ok(proofOf('pastIsUntouched').residual > 0.1);
});

test('without a mask the order of the tokens does not count, and under one it does', () => {
  assert.equal(proofOf('orderDoesNotCount').outcome, 'holds');
  assert.ok(proofOf('orderDoesNotCount').residual <= 1e-12);
  const masked = proofOf('orderDoesNotCount', { mask: 'causal' });
  assert.equal(masked.outcome, 'notClaimed');
  assert.ok(masked.residual > 0.1);
  // The outputs of the tokens in reverse, read in reverse.
  const tokens = ['step', 'one', 'with', 'starts', 'journey', 'Your'];
  const firsts = rowsOf(engine.lesson({ mask: 'causal', tokens }).output).map((row) => row[0]);
  assertRowClose(masked.found, firsts.reverse(), 1e-12);
});

test('the output is of the shape and of the values that the law asks for', () => {
  assert.deepEqual(proofOf('outputHasShape', { dV: 5 }).found, [6, 5]);
  const wrong = proofOf('outputHasShape', { dV: 5, blend: 'embeddings' });
  assert.deepEqual(wrong.found, [6, 16]);
  assert.deepEqual(wrong.expected, [6, 5]);
  assert.equal(wrong.residual, 11);
  assert.equal(proofOf('valuesAreBlended', { dV: 5, blend: 'embeddings' }).residual, Infinity);
  const values = rowsOf(engine.lesson().output);
  const embeddings = rowsOf(engine.lesson({ blend: 'embeddings' }).output);
  const apart = values.map((row, i) => Math.max(...row.map((entry, c) => Math.abs(entry - embeddings[i][c]))));
  assertRowClose(proofOf('valuesAreBlended', { blend: 'embeddings' }).residuals, apart, 1e-12);
});

test('roles, parameters, spread and evenness are counted from the lesson’s own numbers', () => {
  const scores = rowsOf(engine.lesson().scores);
  const asymmetry = Math.max(...scores.flatMap((row, i) => row.map((score, j) => score - scores[j][i])));
  assert.equal(proofOf('rolesDiffer').found[0], asymmetry);
  assert.deepEqual(proofOf('rolesDiffer', { projections: 'shared' }).found, [0]);
  assert.deepEqual(proofOf('somethingCanLearn', { dModel: 9, dK: 7, dV: 5 }).found, [9 * (7 + 7 + 5)]);
  assert.deepEqual(proofOf('somethingCanLearn', { dModel: 9, dK: 7, projections: 'shared' }).found, [9 * 7]);
  assert.deepEqual(proofOf('somethingCanLearn', { projections: 'identity' }).found, [0]);
  const { spread } = engine.lesson({ divisor: 'none' }).metrics;
  assertRowClose([proofOf('spreadIsKept', { divisor: 'none' }).residual], [Math.log2(spread)], 1e-12);
  const loose = proofOf('entropyIsKept', { divisor: 'none' });
  assert.deepEqual(loose.found, engine.lesson({ divisor: 'none' }).metrics.entropy);
  assert.deepEqual(loose.expected, engine.lesson().metrics.entropy);
  assert.deepEqual(proofOf('gradientIsAlive').found, engine.lesson().metrics.jacobian);
});

test('a lone token and a d_k of 1 break no law', () => {
  for (const mask of /** @type {const} */ (['none', 'causal', 'late'])) {
    assert.deepEqual(lawsThat('fails', { tokens: ['alone'], mask }), []);
  }
  assert.deepEqual(proofOf('pastIsUntouched', { tokens: ['alone'] }).found, []);
  for (const divisor of /** @type {const} */ (['sqrt', 'none', 'dk'])) {
    assert.deepEqual(lawsThat('fails', { dK: 1, divisor }), []);
  }
});

test('512 tokens are proved row by row', () => {
  const tokens = Array.from({ length: 512 }, (_, index) => `tok${index}`);
  const proofs = engine.proofs({ tokens, mask: 'causal' });
  assert.equal(proofs[1].found.length, 512);
  assert.equal(proofs[1].outcome, 'holds');
  assert.equal(proofs[3].found.length, 511);
  assert.equal(proofs[3].residual, 0);
});

test('a state that cannot be computed is refused, and nothing is proved', () => {
  assertRefused(() => engine.proofs({ dK: 0 }), 'dK is 0, but must be a whole number from 1 to 512');
  assertRefused(() => engine.proofs({ row: 6 }), 'row is 6, but must be a whole number from 0 to 5');
  assertRefused(
    () => engine.proofs({ dV: 3, projections: 'shared' }),
    'dV is 3, but one shared matrix needs it to equal d_k = 16',
  );
});
