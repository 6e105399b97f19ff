// Homework as a table of comma-separated values, RFC 4180.

/** @typedef {import('../engine/homework.js').Homework & {seed: number, isOwnSeed: boolean}} Checked */

/**
 * A row for each code, and three columns for each exercise that anyone did.
 *
 * @param {Checked[]} rows
 */
export function homeworkTable(rows) {
  const exercises = [...new Set(rows.flatMap(({ answers }) => answers.map(({ name }) => name)))];
  const head = ['student', 'time', 'seconds', 'right', 'done', 'seed', 'seed is of the name', 'state'];
  const lines = rows.map(({ student, time, seconds, answers, seed, isOwnSeed, link }) => [
    student,
    time,
    seconds,
    answers.filter(({ guess, answer }) => guess === answer).length,
    answers.length,
    seed,
    isOwnSeed ? 'yes' : 'no',
    link,
    ...exercises.flatMap((exercise) => {
      const done = answers.find(({ name }) => name === exercise);
      return done === undefined ? ['', '', ''] : [done.guess, done.answer, done.tries];
    }),
  ]);
  const names = exercises.flatMap((name) => [`${name}: guess`, `${name}: answer`, `${name}: tries`]);
  return [[...head, ...names], ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** What a spreadsheet would take for a formula begins with an apostrophe. @param {string | number} value */
function field(value) {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
