// The lesson's side of SCORM 1.2 and 2004: finds the platform's API, and tells it what was answered. Without one, as from disk, the
// lesson works alone. Classic script, before the widget's.

/**
 * What a platform gives a lesson, under the names of SCORM 2004.
 *
 * @typedef {{call(name: 'Initialize' | 'Terminate' | 'Commit'): boolean, get(element: string): string,
 *   set(element: string, value: string): void, version: '1.2' | '2004'}} Platform
 */

/** How far up a lesson's frame may lie, and how far the search goes. */
const mostFrames = 500;

/** The platform's object, as ADL's search finds it: up the frames, then up those of the window that opened this one. @param {Window} start */
function apiAbove(start) {
  let view = start;
  for (let turn = 0; turn < mostFrames; turn++) {
    try {
      const { API_1484_11: newer, API: older } = /** @type {any} */ (view);
      if (newer || older) {
        return { api: newer ?? older, version: /** @type {'1.2' | '2004'} */ (newer ? '2004' : '1.2') };
      }
    } catch {
      return null; // a page of another origin
    }
    if (view.parent === view) {
      return null;
    }
    view = view.parent;
  }
  return null;
}

/** @returns {Platform | null} */
function findPlatform() {
  const found = apiAbove(window) ?? (window.opener ? apiAbove(window.opener) : null);
  if (found === null) {
    return null;
  }
  const { api, version } = found;
  const older = version === '1.2';
  const names = { Initialize: 'LMSInitialize', Terminate: 'LMSFinish', Commit: 'LMSCommit' };
  return {
    version,
    call: (name) => String(api[older ? names[name] : name]('')) === 'true',
    get: (element) => String(api[older ? 'LMSGetValue' : 'GetValue'](element)),
    set(element, value) {
      const done = String(api[older ? 'LMSSetValue' : 'SetValue'](element, value)) === 'true';
      if (!done) {
        const code = api[older ? 'LMSGetLastError' : 'GetLastError']();
        console.warn(`SCORM: the platform refused ${element} = "${value}", error ${code}`);
      }
    },
  };
}

/** A time as SCORM 1.2 writes it, HHHH:MM:SS.SS, or as 2004 does, PT0H0M0S. @param {number} seconds @param {'1.2' | '2004'} version */
export function duration(seconds, version) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return version === '1.2' ? `${two(hours)}:${two(minutes)}:${two(rest)}` : `PT${hours}H${minutes}M${rest}S`;
}

/**
 * What is told of some answers.
 *
 * @param {Map<string, boolean>} answers  by exercise: whether the last guess was right
 * @param {{exercises: number, pass: number}} task  how many make the lesson complete, and how many per cent of them pass
 */
export function outcomeOf(answers, { exercises, pass }) {
  const right = [...answers.values()].filter(Boolean).length;
  const score = Math.min(100, Math.round((100 * right) / exercises));
  const isComplete = answers.size >= exercises;
  return { score, isComplete, isPassed: score >= pass };
}

/** The answers that `remembered` wrote, of a visit before; none where a platform kept something else. @param {string} text */
export function answersIn(text) {
  return new Map(
    Array.from(
      text.matchAll(/(\w+)=([01])/g),
      ([, name, right]) => /** @type {[string, boolean]} */ ([name, right === '1']),
    ),
  );
}

/** @param {Map<string, boolean>} answers */
export const remembered = (answers) => Array.from(answers, ([name, right]) => `${name}=${Number(right)}`).join(' ');

/** Opens the session, and tells of every answer and of the end. */
export function start() {
  const platform = findPlatform();
  if (platform === null || !platform.call('Initialize')) {
    return;
  }
  const opened = Date.now();
  const { version, set, get } = platform;
  const older = version === '1.2';
  const { exercises = '1', pass = '0' } = document.documentElement.dataset;
  const task = { exercises: Number(exercises), pass: Number(pass) };
  const answers = answersIn(get('cmi.suspend_data'));
  const core = older ? 'cmi.core.' : 'cmi.';
  const status = get(older ? 'cmi.core.lesson_status' : 'cmi.completion_status');
  // A platform may have lost what was answered then: what was complete stays so until as much is done again.
  const wasComplete = ['completed', 'passed', 'failed'].includes(status);
  if (['not attempted', 'unknown', ''].includes(status)) {
    set(older ? 'cmi.core.lesson_status' : 'cmi.completion_status', 'incomplete');
  }
  platform.call('Commit');

  document.addEventListener('attention-checkpoint', (event) => {
    const { name, correct } = /** @type {CustomEvent} */ (event).detail;
    answers.set(name, correct);
    const { score, isComplete, isPassed } = outcomeOf(answers, task);
    set('cmi.suspend_data', remembered(answers));
    if (wasComplete && !isComplete) {
      platform.call('Commit');
      return;
    }
    set(`${core}score.min`, '0');
    set(`${core}score.max`, '100');
    set(`${core}score.raw`, String(score));
    if (older) {
      set('cmi.core.lesson_status', isComplete ? (isPassed ? 'passed' : 'failed') : 'incomplete');
    } else {
      set('cmi.score.scaled', String(score / 100));
      set('cmi.completion_status', isComplete ? 'completed' : 'incomplete');
      set('cmi.success_status', isComplete ? (isPassed ? 'passed' : 'failed') : 'unknown');
    }
    platform.call('Commit');
  });

  let isOver = false;
  addEventListener('pagehide', () => {
    if (!isOver) {
      isOver = true;
      set(`${core}session_time`, duration((Date.now() - opened) / 1000, version));
      set(`${core}exit`, 'suspend');
      platform.call('Commit');
      platform.call('Terminate');
    }
  });
}
