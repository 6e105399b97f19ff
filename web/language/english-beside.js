// The English texts of the panels that lie beside the widget, in panels/beside.js; other languages have all texts in one file.

export default {
  jacobianPanel: {
    meaning: 'Row j, column l: how weight j moves with score l. A dead row sends no gradient to W_q and W_k.',
    norm: 'norm ',
    oneKey: 'One key: nothing to choose, the Jacobian is 0.',
    late: 'The mask comes after the softmax: hidden scores still move the weights that stay, and columns do not sum to 0.',
    columns:
      'The softmax runs down the columns: in its row a weight moves with its own score alone. The scores of other rows in its column move it by −a_ij·a_mj, which this map cannot show.',
    dropout: 'Of this draw: a dropped weight does not move, the others move 1 ÷ (1 − p) times as much.',
  },

  proofs: {
    summary: (/** @type {number} */ holds, /** @type {number} */ fails, /** @type {number} */ open) =>
      `Computed now: ${holds} ${holds === 1 ? 'law holds' : 'laws hold'}, ${fails} ${fails === 1 ? 'fails' : 'fail'}, ${open} not claimed here.`,
    measured: (/** @type {string} */ residual, /** @type {string} */ tolerance) =>
      `off by ${residual}, allowed ${tolerance}`,
    compared: (/** @type {string} */ found, /** @type {string} */ least) => `found ${found}, at least ${least} wanted`,
    between: (/** @type {string} */ found, /** @type {string} */ least, /** @type {string} */ most) =>
      `found ${found}, ${least} to ${most} wanted`,
    least: 'at least',
    missing: 'missing',
    item: 'row',
    found: 'found',
    expected: 'expected',
    residual: 'off by',
    laws: /** @type {Record<string, {method: string, items?: string[], claimAcross?: string}>} */ ({
      weightsAreFinite: { method: 'How many of each row are not.' },
      rowsSumToOne: { method: 'The sum of each row.' },
      futureIsHidden: {
        method: 'The largest weight on a later key. Claimed by a causal lesson.',
      },
      pastIsUntouched: {
        method:
          'Computed again with the last embedding turned, x → −x. Shown: the first number of each output; off by: all of them. Claimed by a causal lesson.',
      },
      windowIsKept: {
        method: 'The largest weight on a key before the window. Claimed with a sliding window.',
      },
      paddingIsHidden: {
        method: 'The largest weight on a padded key. Claimed with padding.',
      },
      paddingDoesNotCount: {
        method:
          'Computed again with the padded embeddings turned, x → −x. Shown: the first number of each output; off by: all of them. Claimed with padding.',
      },
      orderDoesNotCount: {
        method:
          'Computed again backwards. Shown: the first number of each output; off by: all of them. Claimed without a mask or padding.',
        claimAcross: 'Reversing the keys changes no output',
      },
      outputHasShape: { method: 'Its two lengths.', items: ['T', 'd_v'] },
      valuesAreBlended: {
        method: 'Computed again. Shown: the first number of each output; off by: all of them.',
      },
      rolesDiffer: {
        method: 'More than rounding leaves.',
        items: ['max|S − Sᵀ|'],
      },
      somethingCanLearn: {
        method: 'How many numbers training may change.',
        items: ['parameters'],
      },
      spreadIsKept: {
        method: 'Within a factor of 2; off by: powers of 2. Claimed for random, separate matrices.',
        items: ['spread'],
      },
      entropyIsKept: {
        method: 'The entropy of each row, and with ÷ √d_k.',
      },
      gradientIsAlive: {
        method:
          'Norm of the softmax Jacobian: at least 0.05, or half an even softmax’s where that is less; 0 where there is no choice.',
      },
    }),
  },

  gradientsPanel: {
    meaning:
      'L is the loss of Train. The map shows ∂L/∂S, the score gradient. W_q and W_k are reached through the softmax alone, W_v past it. A row’s softmax is dead where its Jacobian J is nearly 0. Shares are of ‖∂L/∂S‖² and add up to 1. Without ÷ √d_k the factor 1/√d_k is missing on the way to W_q and W_k, and the few other rows ask loudly.',
    norms: {
      WqNorm: '‖∂L/∂W_q‖, through the softmax',
      WkNorm: '‖∂L/∂W_k‖, through the softmax',
      WvNorm: '‖∂L/∂W_v‖, past it',
    },
    dead: (/** @type {number} */ dead, /** @type {number} */ rows) => `The softmax of ${dead} of ${rows} rows is dead.`,
    most: (/** @type {string} */ token, /** @type {string} */ share) => ` “${token}” carries most: ${share} of all.`,
    factor: (/** @type {string} */ norm, /** @type {string} */ divide) => `‖∂L/∂S‖ ${norm}, on to q·k: ${divide}`,
    columns: ['share', 'peak'],
  },

  train: {
    task: 'Each position must hand over the value of the token before it; the loss is the mean squared error. The first token’s row has no target. The runs differ in the divisor alone.',
    padded: 'Rows of padding have no target either.',
    biased: 'The biases move with their matrices.',
    otherWidth: 'The race has its own d_k and opens at 64, where the divisor matters most.',
    play: 'Play',
    pause: 'Pause',
    step: 'Step',
    reset: 'Reset',
    rate: 'learning rate',
    trained: 'train',
    matrices: { queryAndKey: 'Wq and Wk', value: 'Wv', all: 'all three' },
    third: '÷ d_k too',
    steps: (/** @type {number} */ taken, /** @type {number} */ last) => `Step ${taken} of ${last}`,
    lossChart: 'Loss',
    stepAxis: 'step',
    loss: 'mean squared error',
    losses: (/** @type {string} */ first, /** @type {string} */ last) => `loss ${first} → ${last}`,
    norms: {
      WqNorm: '‖∂L/∂W_q‖',
      WkNorm: '‖∂L/∂W_k‖',
      WvNorm: '‖∂L/∂W_v‖',
      meanJacobian: 'mean Jacobian norm',
    },
    stopped: (/** @type {string} */ run, /** @type {number} */ step) =>
      `${run}: after ${step} ${step === 1 ? 'step' : 'steps'} the loss is no longer a finite number, and the run stops.`,
    verdicts: {
      learnt: (/** @type {string} */ from, /** @type {string} */ to, /** @type {number} */ step) =>
        `learnt: attention found the token before. Loss ${from} → ${to}, below 40% of the first from step ${step}.`,
      slower: (/** @type {string} */ from, /** @type {string} */ to, /** @type {number} */ step) =>
        `learnt more slowly. Loss ${from} → ${to}, below 40% of the first only from step ${step}.`,
      finished: ' Its softmax ends one-hot because it has found its tokens: finished, not dead.',
      settled: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ gradient) =>
        `came part of the way and settled. Loss ${from} → ${to}, with a gradient of ${gradient} at the end.`,
      slow: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ gradient) =>
        `still learning. Loss ${from} → ${to}, and the gradient is still ${gradient}.`,
      frozen: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ jacobian) =>
        `frozen from the start. The mean Jacobian norm is ${jacobian} before the first step; loss ${from} → ${to}.`,
      died: (
        /** @type {string} */ from,
        /** @type {string} */ to,
        /** @type {string} */ first,
        /** @type {string} */ most,
        /** @type {string} */ last,
        /** @type {number} */ step,
      ) =>
        `overshot and died. The gradient was ${first} at the start and at most ${most}; the steps threw the softmax onto wrong tokens, and from step ${step} on less than a hundredth is left, ${last} at the end. Loss ${from} → ${to}.`,
      stuck: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ gradient) =>
        `did not get far. Loss ${from} → ${to}, with a gradient of ${gradient} at the end.`,
    },
    sweepMeaning: 'Sweep: 200 steps, eight rates, three widths.',
    sweep: 'Sweep',
    cancel: 'Cancel',
    sweepChart: 'Loss after 200 steps',
    finalLoss: 'mean squared error',
  },

  chart: {
    numbers: 'The same numbers as a table',
    edges: ['10%', '90%'],
  },

  shapes: {
    meaning: { T: 'tokens', T_q: 'queries', T_k: 'keys', d_model: 'embedding', d_k: 'query, key', d_v: 'value' },
    batch: 'with a batch',
    batchNote:
      'B sentences at once: all but the matrices W get a leading B. A transpose swaps the last two dimensions.',
    oneHead: (/** @type {number} */ heads) =>
      `The table is of one head of ${heads}, with its own columns of W_q, W_k and W_v. The outputs of all are joined side by side, h = ${heads}.`,
    joined: 'outputs joined',
    embeddings: 'embeddings',
    learned: 'learned',
    identity: 'identity',
    transposed: 'K transposed',
    transposes: 'Choose the transposes',
    right: {
      S: 'One score for each query and key.',
      Z: 'One blend for each query.',
    },
    clash: (/** @type {string} */ left, /** @type {string} */ right) => `${left} meets ${right}: no product.`,
    features: 'It fits, but compares features with features: nobody looks at anybody.',
    coincidence: (/** @type {string} */ equal) => `It fits only because ${equal}, and it is not attention.`,
    memory: 'What T × T costs',
    bytes: 'bytes',
    cost: (/** @type {string} */ table, /** @type {string} */ size, /** @type {string} */ huge) =>
      `S and A hold ${table} numbers: ${size} each in float32. At 131,072 tokens (128 k) each takes ${huge}, per head and layer. Fused kernels never store them: they keep a running maximum, sum and blend for each query.`,
    window: (/** @type {number} */ window, /** @type {number} */ T) =>
      `A window of ${window} needs ${window} of the ${T} scores of a row: the work grows with T alone.`,
    padding: (/** @type {number} */ padding, /** @type {number} */ T) =>
      `Padding (${padding} of ${T}) counts in every shape, and in no sum.`,
  },
  worksheet: {
    digits: 'all digits',
    all: (/** @type {number | string} */ count) => `all ${count}`,
    products: 'q × k_j',
    score: 'sum: q·k_j',
    contribution: { values: 'weight × v_j', embeddings: 'weight × x_j' },
    sum: 'sum',
    cleared: 'cleared',
  },
  law: {
    own: 'Your numbers are no random draw: the law says nothing of them, and the chart is of seeded ones.',
    derivation:
      'q·k adds up d_k products q_c·k_c. Entries of q and k have mean 0 and variance about 1, so each product has variance about 1, and d_k independent ones add up to variance d_k: a spread of √d_k. Dividing by √d_k brings it back to 1. Nothing was tuned. Measured over the seeds:',
    variances: {
      query: () => 'variance of an entry of q',
      key: () => 'variance of an entry of k',
      product: () => 'variance of one product q_c·k_c',
      score: (/** @type {number} */ width) => `variance of q·k, the sum of ${width} products`,
    },
    fixed: 'The four tokens have fixed numbers, and the law is about random ones.',
    sample: 'sample',
    seeds: (/** @type {string} */ count) => `${count} seeds`,
    progress: 'Seeds computed',
    cancelled: (/** @type {string} */ seeds) => `Cancelled after ${seeds} seeds; the charts show these.`,
    spread: 'Spread of q·k',
    spreadAxis: 'standard deviation of the scores: median, 10–90%',
    theory: { none: 'theory √d_k', sqrt: 'theory 1' },
    here: 'the picture above',
    peak: 'Peak weight',
    jacobian: 'Softmax Jacobian',
    saturated: 'Saturated rows',
    axes: {
      peak: 'mean over rows',
      jacobian: 'mean norm over rows',
      saturated: 'share of rows with a peak of 0.95 or more',
    },
  },
  compare: {
    seeded: 'seeded',
    given: 'given',
    others: 'other numbers',
    edited: (/** @type {number} */ count) => (count === 1 ? '1 edited entry' : `${count} edited entries`),
    intro: 'Pin this state as A, then change anything.',
    pin: 'Pin as A',
    pair: 'Scaled / unscaled',
    swap: 'Swap',
    unpin: 'Unpin',
    first: 'A (pinned)',
    second: 'B (now)',
    difference: 'B − A',
    largest: 'largest difference ',
    same: 'A and B are the same state.',
    overflow: ' A softmax overflowed: what it left is no number.',
    changed: (/** @type {string} */ list) => `From A to B: ${list}.`,
    values: /** @type {Record<string, string>} */ ({
      none: 'no mask',
      separate: 'three matrices',
      keys: 'softmax along the rows',
      stable: 'row maximum subtracted',
      values: 'V blended',
      sentence: 'a sentence',
      'four-token': 'four tokens',
    }),
    mismatch: (/** @type {number} */ a, /** @type {number} */ b) =>
      `A has ${a} tokens and B has ${b}: they cannot be compared.`,
    more: (/** @type {number} */ shown, /** @type {number} */ all) =>
      `The ${shown} of ${all} queries that differ most.`,
  },
};
