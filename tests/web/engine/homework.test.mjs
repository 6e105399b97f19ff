// Codes of homework, and seeds by name. Covers engine/homework.js, teacher/table.js and the core's checksum.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from 'attention-widget/engine';
import { formatHomework, parseHomework, seedOfName } from '../../../web/engine/homework.js';
import { homeworkTable } from '../../../web/teacher/table.js';

const engine = await loadEngine();

/** The upper 53 bits of FNV-1a, in whole numbers of any size. @param {string} text */
function reference(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  }
  return Number(hash >> 11n);
}

const homework = {
  student: 'Núñez, "Ana" 李',
  time: '2026-03-01T09:30Z',
  seconds: 754,
  answers: [
    { name: 'peak', guess: 'low', answer: 'one', found: 0.9987, tries: 2 },
    { name: 'axis', guess: 'one', answer: 'one', found: 1, tries: 1 },
  ],
  link: 'v=2&d-k=64',
};

test('the checksum is FNV-1a over the bytes of UTF-8', () => {
  for (const text of ['', 'a', 'foobar', homework.student, '\u{1f989}'.repeat(400)]) {
    assert.equal(engine.checksum(text), reference(text), text);
  }
});

test('a code gives back what was handed in, out of a row of a spreadsheet too', () => {
  const code = formatHomework(engine, homework);
  assert.match(code, /^[a-z0-9]+$/, 'neither a formula nor a number of a spreadsheet');
  for (const text of [code, ` ${code}\r`, `7\t"Ana"\t"${code}"\t2026`, `Ana,${code},x`]) {
    assert.deepEqual(parseHomework(engine, text), homework);
  }
});

test('a code is refused wherever one character is another', () => {
  const code = formatHomework(engine, homework);
  for (let place = 0; place < code.length; place++) {
    const other = code[place] === '3' ? '4' : '3';
    const changed = code.slice(0, place) + other + code.slice(place + 1);
    assert.throws(() => parseHomework(engine, changed), { name: 'EngineError' }, `place ${place}`);
  }
});

test('what is cut, and what is no code, is refused with what was found', () => {
  const code = formatHomework(engine, homework);
  assert.throws(() => parseHomework(engine, code.slice(0, 40)), /^EngineError: code is cut off, but must begin with/);
  assert.throws(() => parseHomework(engine, code.slice(0, -1)), /was changed/);
  assert.throws(() => parseHomework(engine, 'Ana Núñez'), /^EngineError: code is missing/);
});

test('the seed of a name is the same however it is spelled, another for another, and one that lessons take', () => {
  const seed = seedOfName(engine, 'Ana  Núñez ');
  assert.equal(seed, seedOfName(engine, 'ana nu\u0301n\u0303ez'));
  assert.equal(seed, reference('ana núñez') % 2 ** 32);
  const seeds = new Set(Array.from({ length: 500 }, (_, place) => seedOfName(engine, `student ${place}`)));
  assert.equal(seeds.size, 500);
  const peaks = ['Ana', 'Ben'].map((name) => engine.lesson({ seed: seedOfName(engine, name) }).metrics.peak[1]);
  assert.notEqual(peaks[0], peaks[1]);
});

test('the table quotes what has commas, and hands a spreadsheet no formula', () => {
  const second = { ...homework, student: '=1+1', answers: [], seed: 5, isOwnSeed: false };
  const [head, first, last] = homeworkTable([{ ...homework, seed: 7, isOwnSeed: true }, second]).split('\r\n');
  assert.equal(
    head,
    'student,time,seconds,right,done,seed,seed is of the name,state,' +
      'peak: guess,peak: answer,peak: tries,axis: guess,axis: answer,axis: tries',
  );
  assert.equal(first, '"Núñez, ""Ana"" 李",2026-03-01T09:30Z,754,1,2,7,yes,v=2&d-k=64,low,one,2,one,one,1');
  assert.equal(last, "'=1+1,2026-03-01T09:30Z,754,0,0,5,no,v=2&d-k=64,,,,,,");
});
