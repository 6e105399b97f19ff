// The English texts of the panels in panels/try-and-take.js; other languages have all texts in one file.

export default {
  checkpoints: {
    introduction: 'Guess, then make it happen.',
    right: 'Right.',
    wrong: (/** @type {string} */ answer) => `Not so: ${answer}.`,
    show: 'Show me',
    handIn: {
      title: 'Hand in',
      introduction:
        'A code holds your name, your answers, the time and the state on the screen. Your teacher reads it back.',
      name: 'Your name',
      own: 'Numbers of my own',
      make: 'Make the code',
      code: 'Your code',
      nameless: 'Write your name first.',
      seeded: (/** @type {string} */ seed) => `The seed of your name is ${seed}: nobody else need have your numbers.`,
      made: (/** @type {number} */ answers) => `Exercises done: ${answers}. Copy the code whole.`,
    },
    questionsTitle: 'Answer in your own words',
    exercises:
      /** @type {Record<string, {question: string, choices: string[], deed: string, reveal: (...found: string[]) => string}>} */ ({
        peak: {
          question: 'What is the peak weight of the highlighted row at d_k = 64 without ÷ √d_k?',
          choices: ['about 0.3', 'about 0.7', 'about 1'],
          deed: 'Now turn ÷ √d_k off and drag d_k to 64.',
          reveal: (found) => `The peak weight is ${found}.`,
        },
        divisor: {
          question: 'Which divisor keeps the score spread near 1 at d_k = 64?',
          choices: ['√d_k', 'd_k'],
          deed: 'Now drag d_k to 64, and try ÷ √d_k and ÷ d_k (under Break it).',
          reveal: (found) => `The spread is ${found} with ÷ √d_k, an eighth of that with ÷ d_k.`,
        },
        oneKey: {
          question: 'What is the weight of a query that sees one key alone?',
          choices: ['less than 1', 'exactly 1', 'that depends on its score'],
          deed: 'Now choose the first row under the causal mask.',
          reveal: (found) => `Its one weight is ${found}, whatever its score: there is nothing to learn.`,
        },
        sharper: {
          question: 'What happens to the entropy of a row that sees several keys without ÷ √d_k?',
          choices: ['it falls', 'it stays', 'it rises'],
          deed: 'Now choose such a row with ÷ √d_k on, guess again, and turn ÷ √d_k off.',
          reveal: (before, now) => `It was ${before} and is ${now}.`,
        },
        lateMask: {
          question: 'What do the rows sum to with the mask after the softmax?',
          choices: ['less than 1', 'exactly 1', 'more than 1'],
          deed: 'Now choose “Mask after the softmax” under Break it.',
          reveal: (found) => `The poorest row keeps ${found}.`,
        },
        lastToken: {
          question: 'Which outputs change with the last token under the causal mask?',
          choices: ['none', 'the last alone', 'all of them'],
          deed: 'Now turn the causal mask on, guess again, and change the last word.',
          reveal: (found) => `${found} earlier outputs changed.`,
        },
        oneNumber: {
          question: 'Where is the one number that makes “four” look at “one” alone, with more than 0.99 of its weight?',
          choices: ['in X', 'in W_q', 'in W_k'],
          deed: 'Now change one number, and no other: double-click it in the picture.',
          reveal: (found) => `“one” has ${found} of the weight.`,
        },
        equalRows: {
          question: 'When two rows of the map are equal, how far apart are their queries q?',
          choices: ['not at all', 'they can be anything'],
          deed: 'Now turn the mask off and make two rows equal by a number that you change.',
          reveal: (found) => `Their entries differ by at most ${found}.`,
        },
        breakCausality: {
          question: 'Break causality if you can: how many earlier outputs change with the numbers of the last token?',
          choices: ['none', 'one or two', 'all three'],
          deed: 'Now change its row of X under the causal mask, and nothing else.',
          reveal: (found) => `${found} changed.`,
        },
        axis: {
          question: 'What does the highlighted row sum to with the softmax down the columns?',
          choices: ['less than 1', 'exactly 1', 'more than 1'],
          deed: 'Now choose “Softmax down the columns” under Break it.',
          reveal: (found) => `It sums to ${found}.`,
        },
        oneMatrix: {
          question: 'How are the scores of i on j and of j on i with one matrix for Q, K and V?',
          choices: ['opposite', 'equal', 'unrelated'],
          deed: 'Now choose “One matrix for Q, K and V” under Break it.',
          reveal: (found) => `They differ by at most ${found}.`,
        },
      }),
    questions: /** @type {Record<string, string>} */ ({
      trained: 'Why can attention without parameters not be trained?',
      roles: 'What does a query ask, a key offer, a value carry?',
      derive: 'Add up the products of one row: why √d_k and no other number?',
      without: 'What reaches W_q and W_k without the divisor?',
      values: 'Why blend values and not embeddings?',
      square: 'Which matrix grows with the square of the sentence, and at what cost?',
      tooMuch: 'Would dividing by d_k do as well?',
    }),
  },

  code: {
    language: 'Language',
    copy: 'Copy',
    copied: 'Copied',
    selected: 'Selected: copy it with the keyboard',
    label: 'Program',
    mistake: (/** @type {string} */ title, /** @type {string} */ law) => `${title}. Law: ${law}.`,
    long: 'Too long to show here. Copy it whole.',
  },

  share: {
    lesson: 'Lesson as JSON',
    tooLong: (/** @type {number} */ length, /** @type {number} */ most) =>
      `With these numbers a link would take ${length} characters, and ${most} are the most that programs leave whole. Save “Lesson as JSON”, and let src name it: <attention-widget src="lesson.json">.`,
    tag: 'A tag, for a page of your own',
    frame: 'A frame, for a page that takes no scripts',
    link: 'A link to this state',
    files: 'The picture and its numbers, as a file',
    unknownFolder: (/** @type {string} */ folder) =>
      `This widget does not know where its files lie. In place of ${folder} put the one of attention-widget.js and embed/.`,
    noDownload:
      'If no file comes, the page around this frame forbids downloads: its tag needs sandbox="allow-scripts allow-downloads". The text to copy:',
  },
};
