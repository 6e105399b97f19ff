// The command-line program, run as a lesson's continuous integration runs it; and its numbers against WebAssembly's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadEngine } from 'attention-widget/engine';

const program = fileURLToPath(new URL('../../build/sanitize/attention', import.meta.url));

/** @param {...string} options */
function attention(...options) {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The same, writing into a file. @param {number} file @param {...string} options */
function attentionTo(file, ...options) {
  return spawnSync(program, options, { encoding: 'utf8', stdio: ['ignore', file, 'pipe'] });
}

/** @typedef {number | string | null | Nested[]} Nested */

/**
 * The program's nested arrays in one line of numbers; infinities and NaN, which JSON lacks, come as texts.
 *
 * @param {any} nested
 * @returns {number[]}
 */
function flat(nested) {
  return nested
    .flat(Number.POSITIVE_INFINITY)
    .map((/** @type {any} */ entry) => (typeof entry === 'number' ? entry : Number(entry.replace('inf', 'Inf'))));
}

/** @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {string} name */
function assertClose(actual, expected, name) {
  assert.equal(actual.length, expected.length, `${name}: length`);
  const largest = Math.max(...Array.from(expected).filter(Number.isFinite).map(Math.abs), Number.MIN_VALUE);
  for (let i = 0; i < expected.length; i++) {
    const agrees = Object.is(actual[i], expected[i]) || Math.abs(actual[i] - expected[i]) <= 1e-12 * largest;
    assert.ok(agrees, `${name}[${i}]: ${actual[i]}, natively ${expected[i]}`);
  }
}

/** @param {any} nested @returns {number[]} */
function shapeOf(nested) {
  return Array.isArray(nested) ? [nested.length, ...shapeOf(nested[0])] : [];
}

/** @param {{data: ArrayLike<number>, shape: number[]}} tensor @param {any} nested @param {string} name */
function assertSame(tensor, nested, name) {
  assert.deepEqual(tensor.shape, shapeOf(nested), name);
  assertClose(tensor.data, flat(nested), name);
}

const states = [
  { options: [], state: {} },
  { options: ['--d-k', '64', '--divisor', 'none'], state: { dK: 64, divisor: 'none' } },
  {
    options: ['--d-k', '7', '--d-v', '5', '--d-model', '9', '--mask', 'causal'],
    state: { dK: 7, dV: 5, dModel: 9, mask: 'causal' },
  },
  {
    options: ['--divisor', 'dk', '--seed', '4294967295', '--row', '5'],
    state: { divisor: 'dk', seed: 4294967295, row: 5 },
  },
  { options: ['--tokens', 'Grüße an an 👋'], state: { tokens: ['Grüße', 'an', 'an', '👋'] } },
  { options: ['--mask', 'late', '--softmax-axis', 'queries'], state: { mask: 'late', softmaxAxis: 'queries' } },
  { options: ['--mask', 'window', '--window', '2', '--row', '4'], state: { mask: 'window', window: 2, row: 4 } },
  {
    options: ['--padding', '3', '--mask', 'window', '--window', '2', '--row', '5'],
    state: { padding: 3, mask: 'window', window: 2, row: 5 },
  },
  {
    options: ['--context', 'some other words', '--d-v', '5', '--mask', 'causal', '--row', '4'],
    state: { context: ['some', 'other', 'words'], dV: 5, mask: 'causal', row: 4 },
  },
  {
    options: ['--tokens', 'two words', '--context', 'a few more than these', '--heads', '2', '--padding', '1'],
    state: { tokens: ['two', 'words'], context: ['a', 'few', 'more', 'than', 'these'], heads: 2, padding: 1 },
  },
  { options: ['--padding', '2', '--softmax-axis', 'queries'], state: { padding: 2, softmaxAxis: 'queries' } },
  { options: ['--projections', 'shared'], state: { projections: 'shared' } },
  {
    options: ['--projections', 'identity', '--softmax', 'naive'],
    state: { projections: 'identity', softmax: 'naive' },
  },
  { options: ['--dropout', '0.3', '--mask', 'causal'], state: { dropout: 0.3, mask: 'causal' } },
  { options: ['--preset', 'four-token'], state: { preset: 'four-token' } },
  {
    options: ['--blend', 'embeddings', '--d-v', '5', '--mask', 'causal'],
    state: { blend: 'embeddings', dV: 5, mask: 'causal' },
  },
  {
    options: ['--softmax', 'naive', '--divisor', 'none', '--d-k', '64'],
    state: { softmax: 'naive', divisor: 'none', dK: 64 },
  },
  {
    options: ['--heads', '3', '--head', '2', '--d-k', '5', '--d-v', '4', '--mask', 'causal'],
    state: { heads: 3, head: 2, dK: 5, dV: 4, mask: 'causal' },
  },
  {
    options: ['--heads', '2', '--blend', 'embeddings', '--projections', 'shared', '--softmax-axis', 'queries'],
    state: { heads: 2, blend: 'embeddings', projections: 'shared', softmaxAxis: 'queries' },
  },
];

const stages = /** @type {const} */ ([
  'X',
  'Wq',
  'Wk',
  'Wv',
  'Q',
  'K',
  'V',
  'scores',
  'scaled',
  'masked',
  'weights',
  'output',
]);

for (const { options, state } of states) {
  test(`the native program and WebAssembly agree to 1e-12: ${options.join(' ') || 'the default lesson'}`, async () => {
    const { status, stdout, stderr } = attention('lesson', '--json', ...options);
    assert.equal(status, 0, stderr);
    const native = JSON.parse(stdout);
    const result = (await loadEngine()).lesson(/** @type {any} */ (state));
    assert.deepEqual(native.tokens, result.tokens);
    assert.deepEqual(native.keyTokens, result.keyTokens);
    assert.equal(native.context === undefined, result.context === undefined);
    if (result.context !== undefined) {
      assertSame(result.context, native.context, 'context');
    }
    for (const name of stages) {
      assertSame(result[name], native[name], name);
    }
    if (result.average !== undefined && result.head !== undefined) {
      assertSame(result.average, native.average, 'average');
      for (const name of stages) {
        assertSame(result.head[name], native.head[name], `head.${name}`);
      }
    } else {
      assert.equal(native.head ?? native.average, undefined);
    }
    assertSame(result.visible, native.visible, 'visible');
    assertSame(result.worksheet.products, native.worksheet.products, 'worksheet.products');
    assertSame(result.worksheet.contributions, native.worksheet.contributions, 'worksheet.contributions');
    for (const name of /** @type {const} */ (['subtracted', 'shifted', 'exponentials', 'totals'])) {
      assertClose(result.worksheet[name], flat(native.worksheet[name]), name);
    }
    const { metrics } = result;
    assertClose([metrics.spread], [native.metrics.spread], 'spread');
    assert.equal(metrics.expectedSpread, native.metrics.expectedSpread);
    for (const name of /** @type {const} */ (['peak', 'entropy', 'maximumEntropy', 'jacobian', 'rowSum'])) {
      assertClose(metrics[name], flat(native.metrics[name]), name);
    }
    assert.deepEqual(metrics.state, native.metrics.state);
    assert.deepEqual(metrics.gradient, native.metrics.gradient);
  });
}

test('seeded embeddings and weights are the same bits natively and in WebAssembly', async () => {
  const native = JSON.parse(attention('lesson', '--json', '--d-k', '64').stdout);
  const result = (await loadEngine()).lesson({ dK: 64 });
  for (const name of /** @type {const} */ (['X', 'Wq', 'Wk', 'Wv'])) {
    assert.deepEqual([...result[name].data], flat(native[name]), name);
  }
});

test('training is the same natively and in WebAssembly, at every step', async () => {
  const { status, stdout, stderr } = attention(
    ...['train', '--json', '--heads', '2', '--d-k', '5', '--d-v', '4', '--mask', 'causal'],
    ...['--steps', '20', '--learning-rate', '0.5', '--matrices', 'all'],
  );
  assert.equal(status, 0, stderr);
  const native = JSON.parse(stdout);
  const state = /** @type {any} */ ({ heads: 2, dK: 5, dV: 4, mask: 'causal' });
  const result = (await loadEngine()).train(state, { steps: 20, learningRate: 0.5, matrices: 'all' });
  assert.equal(result.points.length, 21);
  for (const name of /** @type {(keyof typeof result.points[0])[]} */ (Object.keys(result.points[0]))) {
    const column = result.points.map((point) => point[name]);
    assertClose(column, flat(native[name]), name);
  }
  assert.equal(native.stoppedAt, null);
  for (const name of /** @type {const} */ (['Wq', 'Wk', 'Wv'])) {
    assertSame(result.trained[name], native.trained[name], name);
  }
  assertSame(result.masked, native.masked, 'masked');
  assertSame(result.weights, native.weights, 'weights');
});

test('the law is the same natively and in WebAssembly', async () => {
  const { status, stdout, stderr } = attention(
    ...['law', '--json', '--d-k', '3,7,20', '--seeds', '40', '--first-seed', '11'],
    ...['--tokens', 'to be or not', '--d-model', '9'],
  );
  assert.equal(status, 0, stderr);
  const native = JSON.parse(stdout);
  const tokens = ['to', 'be', 'or', 'not'];
  const result = (await loadEngine()).statistics({ largestDK: 20, seeds: 40, firstSeed: 11, tokens, dModel: 9 });
  assert.deepEqual(native.dK, [3, 7, 20]);
  assert.equal(native.seeds, result.seeds);
  for (const part of /** @type {const} */ (['unscaled', 'scaled', 'variances'])) {
    assert.deepEqual(Object.keys(native[part]), Object.keys(result[part]).sort());
    for (const [name, column] of Object.entries(result[part])) {
      const asked = [3, 7, 20].map((dK) => column[dK - 1]);
      assertClose(asked, native[part][name], `${part}.${name}`);
    }
  }
});

test('claims that hold exit with 0 and say what the numbers are', () => {
  const { status, stdout } = attention(
    'lesson',
    '--d-k',
    '64',
    '--divisor',
    'none',
    '--expect',
    'peak[1]>=0.99',
    '--expect',
    'state[1] == saturated (one-hot)',
    '--expect',
    'weights[1][5] > 0.99',
  );
  assert.equal(status, 0);
  assert.match(stdout, /^holds: peak\[1\]>=0\.99 {2}\(it is 0\.998\d+\)\nholds: state.*\nholds: weights.*\n$/);
});

test('a claim that fails exits with 1, and the others are still checked', () => {
  const { status, stdout } = attention('lesson', '--expect', 'peak[1] >= 0.99', '--expect', 'spread < 2');
  assert.equal(status, 1);
  assert.match(stdout, /^FAILS: peak\[1\] >= 0\.99 {2}\(it is 0\.29\d+\)\nholds: spread < 2/);
});

test('a claim about a number that is not finite fails whatever it compares', () => {
  for (const claim of ['masked[0][1] > -1e308', 'masked[0][1] == 0']) {
    assert.equal(attention('lesson', '--mask', 'causal', '--expect', claim).status, 1, claim);
  }
  assert.equal(attention('lesson', '--mask', 'causal', '--expect', 'masked[0][1] < -1e308').status, 0);
});

test('a claim is right, wrong, or makes no sense', () => {
  const causal = ['lesson', '--mask', 'causal']; // row 0 sees one key, masked[0][1] is -infinity
  const overflow = ['lesson', '--softmax', 'naive', '--divisor', 'none', '--d-k', '64']; // row 0 is NaN
  const one = ['lesson', '--d-k', '64', '--divisor', 'none']; // row 1 is saturated
  const fixed = ['lesson', '--preset', 'four-token', '--tokens', 'two 5 NaN inf'];
  const train = ['train', '--steps', '1'];
  const law = ['law', '--d-k', '4,64', '--seeds', '9'];
  const [right, wrong, senseless] = [0, 1, 2];
  for (const [command, claim, expected] of /** @type {[string[], string, number][]} */ ([
    [one, 'state[1] == saturated (one-hot)', right],
    [one, 'state[1] != diffuse', right],
    [one, 'metrics.state[1] == saturated (one-hot)', right],
    [one, 'state[1] != saturated (one-hot)', wrong],
    [one, 'state[1] == diffuse', wrong],
    [one, 'state[1] != saturated', senseless],
    [one, 'state[1] == saturatd (one-hot)', senseless],
    [one, 'state[1] == 0', senseless],
    [one, 'state[1] != 0', senseless],
    [one, 'state[1] < 1', senseless],
    [one, 'state[1] >= diffuse', senseless],
    [one, 'state[1] == NaN', senseless],
    [one, 'gradient[1] == dead', right],
    [one, 'gradient[1] != alive', right],
    [one, 'gradient[1] == alive', wrong],
    [one, 'gradient[1] == diffuse', senseless],
    [one, 'gradient[1] < 0.05', senseless],
    [one, 'gradient[1] != 0.05', senseless],
    [one, 'peak[1] >= 0.99', right],
    [one, 'peak[1] > .5e0', right],
    [one, 'peak[1] < +1.', right],
    [one, 'peak[1] != 1', right],
    [one, 'peak[1] == 1', wrong],
    [one, 'peak[1] > 1', wrong],
    [one, 'peak[1] < infinity', right],
    [one, 'peak[1] > -inf', right],
    [one, 'peak[1] == high', senseless],
    [one, 'peak[1] != high', senseless],
    [one, 'peak[1] != alive', senseless],
    [one, 'peak[1] < 0x10', senseless],
    [one, 'peak[1] < 1,5', senseless],
    [one, 'peak[1] < 1e999', senseless],
    [one, 'peak[1] < 1 2', senseless],
    [one, 'peak[18446744073709551616] < 1', senseless],
    [one, 'expectedSpread == 8', right],
    [one, 'divisor == 1', right],
    [causal, 'masked[0][1] == -infinity', right],
    [causal, 'masked[0][1] < -1e300', right],
    [causal, 'masked[0][1] == infinity', wrong],
    [causal, 'masked[0][1] == hidden', senseless],
    [causal, 'state[0] == saturated (one-hot)', right],
    [causal, 'gradient[0] == no choice', right],
    [overflow, 'peak[0] == NaN', wrong],
    [overflow, 'peak[0] < NaN', wrong],
    [overflow, 'peak[0] >= 0', wrong],
    [overflow, 'peak[0] < 0', wrong],
    [overflow, 'peak[0] == 0', wrong],
    [overflow, 'peak[0] != 0', right],
    [overflow, 'peak[0] != NaN', right],
    [one, 'peak[1] == NaN', wrong],
    [one, 'peak[1] > nan', wrong],
    [one, 'peak[1] <= NaN', wrong],
    [one, 'peak[1] != NaN', right],
    [overflow, 'gradient[0] == undefined', right],
    [overflow, 'peak[0] != undefined', senseless],
    [fixed, 'tokens[0] == two', right],
    [fixed, 'tokens[0] != three', right],
    [fixed, 'tokens[1] == 5', right],
    [fixed, 'tokens[1] == 5.0', wrong],
    [fixed, 'tokens[2] == NaN', right],
    [fixed, 'tokens[3] == infinity', wrong],
    [fixed, 'tokens[0] <= 0', senseless],
    [fixed, 'tokens[1] > 4', senseless],
    [train, 'stoppedAt == 5', senseless],
    [train, 'loss[0] > 0', right],
    [train, 'loss[0] == finite', senseless],
    [law, 'dK[1] == 64', right],
    [law, 'seeds == 9', right],
    [law, 'seeds == nine', senseless],
    [law, 'unscaled.peak[0] < scaled', senseless],
  ])) {
    const { status, stderr } = attention(...command, '--expect', claim);
    assert.equal(status, expected, `${claim} of ${command.join(' ')}: ${stderr}`);
    assert.equal(stderr === '', expected !== senseless, `${claim}: ${stderr}`);
  }
  assert.match(
    attention(...one, '--expect', 'state[1] != saturated').stderr,
    /^attention: --expect compares 'state' with 'saturated', but it can only be one of diffuse, peaked, saturated \(one-hot\), /,
  );
});

test('output that cannot be written is an error', () => {
  for (const options of [
    ['lesson'],
    ['lesson', '--json'],
    ['lesson', '--expect', 'spread < 2'],
    ['--help'],
    ['--version'],
  ]) {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = attentionTo(full, ...options);
    closeSync(full);
    assert.equal(status, 2, options.join(' '));
    assert.equal(stderr, 'attention: the output cannot be written\n');
  }
});

test('whole numbers are decimal, with leading zeros or without, and fractions are too', () => {
  const ten = attention('lesson', '--json', '--d-k', '10').stdout;
  for (const written of ['010', '0010', '+10']) {
    assert.equal(attention('lesson', '--json', '--d-k', written).stdout, ten, written);
  }
  assert.equal(attention('lesson', '--json', '--row', '00').stdout, attention('lesson', '--json', '--row', '0').stdout);
  assert.match(attention('law', '--d-k', '08,010', '--seeds', '07').stdout, /^ +8 .*\n +10 .*\n\n7 seeds\n$/m);
  for (const [...options] of [
    ['lesson', '--d-k', '0x10'],
    ['lesson', '--d-k', '0b11'],
    ['lesson', '--d-k', '1e1'],
    ['lesson', '--d-k', '10.0'],
    ['lesson', '--seed', '0xff'],
    ['lesson', '--dropout', '0x0.8p0'],
    ['train', '--steps', '0x1'],
    ['train', '--learning-rate', '0x1'],
    ['law', '--d-k', '8,0x10'],
    ['law', '--seeds', '1_000'],
  ]) {
    const { status, stdout, stderr } = attention(...options);
    assert.equal(status, 2, options.join(' '));
    assert.equal(stdout, '');
    assert.ok(stderr.includes(options[1]), stderr);
  }
});

test('a whole number that is too large is refused as it was typed', () => {
  for (const [name, ...options] of [
    ['d_k', 'lesson', '--d-k'],
    ['seed', 'lesson', '--seed'],
    ['row', 'lesson', '--row'],
    ['steps', 'train', '--steps'],
    ['first_seed', 'law', '--first-seed'],
  ]) {
    for (const typed of ['99999999999999999999', '-99999999999999999999', '9999999999999999999', '4294967296']) {
      const { status, stdout, stderr } = attention(...options, typed);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.equal(stderr, `attention: ${name} is ${typed}, but must be a whole number from 0 to 4294967295\n`);
    }
  }
});

test('tokens that are no UTF-8 are refused, by the place of the first byte that is none', () => {
  for (const [bytes, place] of /** @type {[string, number][]} */ ([
    ['a \\377', 2],
    ['\\200', 0],
    ['ab\\303', 2],
    ['\\300\\257', 0],
    ['\\355\\240\\200', 0],
    ['\\364\\220\\200\\200', 0],
    ['\\303\\251 \\342\\202', 3],
  ])) {
    for (const command of ['lesson', 'lesson --json', 'train', 'law']) {
      const { status, stdout, stderr } = spawnSync(
        'sh',
        ['-c', `exec "$0" ${command} --tokens "$(printf '${bytes}')"`, program],
        {
          encoding: 'utf8',
        },
      );
      assert.equal(status, 2, `${command} ${bytes}`);
      assert.equal(stdout, '');
      assert.equal(stderr, `attention: tokens is no UTF-8 from byte ${place} on, but must be text in UTF-8\n`);
    }
  }
  assert.equal(attention('lesson', '--tokens', 'é € 👋 \u07ff \ud7ff \uffff').status, 0);
});

test('--blend says what the weights blend, and values are blended where it is absent', () => {
  const usual = attention('lesson', '--json', '--d-v', '5').stdout;
  assert.equal(attention('lesson', '--json', '--d-v', '5', '--blend', 'values').stdout, usual);
  const values = JSON.parse(usual);
  const embeddings = JSON.parse(attention('lesson', '--json', '--d-v', '5', '--blend', 'embeddings').stdout);
  assert.deepEqual(embeddings.weights, values.weights);
  assert.equal(values.output[0].length, 5);
  assert.equal(embeddings.output[0].length, 16);
});

test('a claim about a row that overflowed fails, and one about what became of it holds', () => {
  const overflow = ['--softmax', 'naive', '--divisor', 'none', '--d-k', '64'];
  for (const claim of ['peak[0] > 0', 'peak[0] <= 1', 'rowSum[0] == 1']) {
    assert.equal(attention('lesson', ...overflow, '--expect', claim).status, 1, claim);
  }
  for (const claim of ['state[0] == not a distribution', 'gradient[0] == undefined', 'peak[3] >= 0.99']) {
    assert.equal(attention('lesson', ...overflow, '--expect', claim).status, 0, claim);
  }
});

test('a call that cannot be computed exits with 2 and one sentence on the error stream', () => {
  /** @type {[string[], RegExp][]} */
  const calls = [
    [['lesson', '--d-k', '0'], /^attention: d_k is 0, but must be a whole number from 1 to 512\n$/],
    [['lesson', '--d-k', '-1'], /^attention: d_k is -1, but must be a whole number from 0 to 4294967295\n$/],
    [['lesson', '--divisor', 'half'], /^attention: divisor is "half", but must be sqrt, none or dk\n$/],
    [['lesson', '--blend', 'X'], /^attention: blend is "X", but must be values or embeddings\n$/],
    [['lesson', '--tokens', ''], /^attention: tokens is empty, but must hold at least one token\n$/],
    [['lesson', '--expect', 'peak'], /^attention: --expect is 'peak', but must read like/],
    [['lesson', '--expect', 'peek[1] > 0'], /^attention: --expect names 'peek', but there is no such number/],
    [['lesson', '--expect', 'peak[6] > 0'], /for index 6, but there are 6\n$/],
    [['lesson', '--expect', 'peak > 0'], /names 'peak' as a whole, but must name one number/],
    [['lesson', '--expect', 'peak[0] == high'], /compares 'peak' with 'high', but it is 0\.66/],
    [['lesson', '--heads', '9'], /^attention: heads is 9, but must be a whole number from 1 to 8\n$/],
    [['lesson', '--heads', '2', '--head', '2'], /^attention: head is 2, but must be a whole number from 0 to 1\n$/],
    [['lesson', '--expect', 'metrics.peak.high > 0'], /names 'metrics\.peak\.high', but there is no such number/],
    [['train', '--steps', '10001'], /^attention: steps is 10001, but must be a whole number from 0 to 10000\n$/],
    [['train', '--steps', '-1'], /^attention: steps is -1, but must be a whole number/],
    [['train', '--learning-rate', '0'], /^attention: learning_rate is 0, but must be positive and finite\n$/],
    [['train', '--learning-rate', 'nan'], /^attention: learning_rate is NaN, but must be positive and finite\n$/],
    [['train', '--matrices', 'Wq'], /^attention: matrices is "Wq", but must be query-and-key, value or all\n$/],
    [['train', '--tokens', 'alone'], /^attention: tokens holds 1 token, but/],
    [['law', '--d-k', '8,0'], /^attention: d_k is 0, but must be a whole number from 1 to 8\n$/],
    [['law', '--d-k', '2,513'], /^attention: d_k is 513, but must be a whole number from 1 to 512\n$/],
    [['law', '--d-k', '8,wide'], /--d-k/],
    [['law', '--seeds', '0'], /^attention: seeds is 0, but must be a whole number from 1 to 10000\n$/],
    [['law', '--first-seed', '4294967295', '--seeds', '2'], /^attention: first_seed is 4294967295, but there are not/],
    [['law', '--divisor', 'none'], /--divisor/],
    [['lesson', '--no-such-option'], /--no-such-option/],
    [['lesson', '--d-k', 'wide'], /--d-k/],
    [[], /subcommand/],
  ];
  for (const [options, message] of calls) {
    const { status, stdout, stderr } = attention(...options);
    assert.equal(status, 2, options.join(' '));
    assert.match(stderr, message);
    assert.equal(stdout, '');
  }
});

test('a lesson that learns with the divisor and freezes without it can be stated as claims', () => {
  const wide = ['train', '--d-k', '64', '--steps', '200'];
  assert.equal(attention(...wide, '--expect', 'loss[0] > 0.8', '--expect', 'loss[200] < 0.1').status, 0);
  assert.equal(attention(...wide, '--divisor', 'none', '--expect', 'loss[200] < 0.1').status, 1);
  assert.equal(attention(...wide, '--divisor', 'none', '--expect', 'WqNorm[200] < 0.001').status, 0);
  assert.match(attention(...wide, '--expect', 'loss[201] < 1').stderr, /for index 201, but there are 201\n$/);
});

test('training prints the figures at start and end, and where a run stopped', () => {
  const run = attention('train', '--steps', '3');
  assert.equal(run.status, 0);
  assert.match(run.stdout, /^ +step +loss .*\n +0 +1\.052 .*\n +3 +\d\.\d+ .*\n$/);
  assert.match(attention('train', '--steps', '0').stdout, /^ +step .*\n +0 +1\.052 .*\n$/);
  const naive = attention('train', '--softmax', 'naive', '--divisor', 'none', '--d-k', '64', '--steps', '3');
  assert.equal(naive.status, 0);
  assert.match(naive.stdout, /After 0 steps the loss was no longer finite\.\n$/);
});

test('the law of sqrt(d_k) can be stated as claims, by the place of a width in the list', () => {
  const law = ['law', '--d-k', '4,64'];
  assert.equal(attention(...law, '--expect', 'unscaled.spread[1] > 7', '--expect', 'scaled.spread[1] < 1.1').status, 0);
  const { status, stdout } = attention(...law, '--expect', 'unscaled.spread[0] > 7');
  assert.equal(status, 1);
  assert.match(stdout, /^FAILS: unscaled\.spread\[0\] > 7 {2}\(it is 1\.\d+\)\n$/);
});

test('the law is printed as a table, one line for each width', () => {
  const { status, stdout } = attention('law', '--d-k', '4,64', '--seeds', '50');
  assert.equal(status, 0);
  const lines = stdout.split('\n');
  assert.equal(lines.length, 7);
  assert.match(lines[2], /^ +4( +\d+\.\d{3}){3} +2\.000( +\d\.\d{3}){3}( +[01]\.\d{3}){3} +\d\.\d{3}$/);
  assert.match(lines[3], /^ +64( +\d+\.\d{3}){3} +8\.000 /);
  assert.equal(lines[5], '50 seeds');
});

test('without claims a table of the weights is printed, hidden ones as dots', () => {
  const { status, stdout } = attention('lesson', '--preset', 'four-token');
  assert.equal(status, 0);
  assert.match(stdout, /two +0\.330 +0\.670 +\. +\. +0\.670/);
  assert.match(stdout, /d_k 2, scores divided by 1\.414/);
});

test('--help and --version exit with 0', () => {
  assert.equal(attention('--help').status, 0);
  assert.match(attention('--version').stdout, /^\d+\.\d+\.\d+\n$/);
});
