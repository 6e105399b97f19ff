// Runs a reader's program in a worker, with a time limit for each row.

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./assertions.js').Answer} Answer */

/** How long one row may take. */
export const limitMilliseconds = 2000;

/** How long the worker may take to come: its file is fetched. */
const startMilliseconds = 15_000;

/**
 * What became of a program: an outcome for each row, as far as it came, or why there is none.
 *
 * @typedef {object} Outcome
 * @property {({answer: Answer} | {threw: string} | 'endless')[]} [answers]
 * @property {'noWorker' | 'unreadable' | 'threwBefore' | 'noFunction' | 'endlessBefore'} [problem]  there are no answers
 * @property {string} [text]  what the program threw, or why it cannot be read
 */

/**
 * @param {string} address  of the worker's script
 * @param {string} program
 * @param {Row[]} rows
 * @returns {Promise<Outcome>}  never rejects
 */
export function runProgram(address, program, rows) {
  return new Promise((resolve) => {
    /** @type {Worker} */
    let worker;
    try {
      worker = new Worker(address);
    } catch {
      resolve({ problem: 'noWorker' }); // from file: browsers start none
      return;
    }
    /** @type {({answer: Answer} | {threw: string} | 'endless')[]} */
    const answers = [];
    let hasStarted = false;
    let isRead = false;
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    const end = (/** @type {Outcome} */ outcome) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(outcome);
    };
    const tooLate = () => {
      if (!hasStarted) {
        end({ problem: 'noWorker' });
      } else if (!isRead) {
        end({ problem: 'endlessBefore' });
      } else {
        end({ answers: [...answers, 'endless'] });
      }
    };
    const wait = (/** @type {number} */ milliseconds) => {
      clearTimeout(timer);
      timer = setTimeout(tooLate, milliseconds);
    };
    wait(startMilliseconds);
    worker.addEventListener('error', () => end({ problem: 'noWorker' }));
    worker.addEventListener('message', ({ data }) => {
      switch (data.kind) {
        case 'ready':
          hasStarted = true;
          worker.postMessage({ program, rows });
          break;
        case 'read':
          isRead = true;
          break;
        case 'answer':
          answers.push({ answer: data.answer });
          break;
        case 'threw':
          answers.push({ threw: data.text });
          break;
        case 'end':
          end({ answers });
          return;
        default:
          end({ problem: data.kind, text: data.text });
          return;
      }
      wait(limitMilliseconds);
    });
  });
}
