// The texts of the teacher's pages, in every language of the widget, and the one that a reader gets.

import { closestLanguage } from '../language/closest-language.js';

const english = {
  title: 'Check homework',
  introduction:
    'Paste the codes that students handed in, one in a line: a column of a spreadsheet, or whole rows. Nothing leaves this page.',
  codes: 'Codes',
  save: 'Save as CSV',
  read: (/** @type {number} */ good, /** @type {number} */ all) => `${good} of ${all} lines read.`,
  line: (/** @type {number} */ line) => `Line ${line}`,
  missing: 'has no code. A code begins with attn1x.',
  cut: 'has a code that is cut off. It must be copied whole.',
  changed: 'has a code that was changed: it does not fit its checksum.',
  columns: {
    line: 'Line',
    student: 'Student',
    time: 'Handed in (UTC)',
    minutes: 'Minutes',
    right: 'Right',
    answers: 'Answers',
    seed: 'Seed',
    state: 'State',
  },
  ownSeed: 'the name’s own',
  otherSeed: 'not the name’s',
  open: 'Open',
};

/** @type {Record<string, typeof english>} */
const texts = {
  en: english,
  es: {
    title: 'Revisar las entregas',
    introduction:
      'Pega los códigos entregados, uno por línea: una columna de una hoja de cálculo o filas enteras. Nada sale de esta página.',
    codes: 'Códigos',
    save: 'Guardar como CSV',
    read: (good, all) => `Líneas leídas: ${good} de ${all}.`,
    line: (line) => `La línea ${line}`,
    missing: 'no tiene ningún código. Un código empieza por attn1x.',
    cut: 'tiene un código cortado. Hay que copiarlo entero.',
    changed: 'tiene un código que se modificó: no concuerda con su suma de control.',
    columns: {
      line: 'Línea',
      student: 'Estudiante',
      time: 'Entregado (UTC)',
      minutes: 'Minutos',
      right: 'Correctas',
      answers: 'Respuestas',
      seed: 'Semilla',
      state: 'Estado',
    },
    ownSeed: 'la de su nombre',
    otherSeed: 'no es la de su nombre',
    open: 'Abrir',
  },
  'zh-CN': {
    title: '检查作业',
    introduction: '粘贴学生提交的代码，每行一个：可以是电子表格的一列，也可以是整行。数据不会离开本页面。',
    codes: '代码',
    save: '保存为 CSV',
    read: (good, all) => `已读取 ${all} 行中的 ${good} 行。`,
    line: (line) => `第 ${line} 行`,
    missing: '没有代码。代码以 attn1x 开头。',
    cut: '的代码被截断了，必须完整复制。',
    changed: '的代码被改动过：与校验和不符。',
    columns: {
      line: '行',
      student: '学生',
      time: '提交时间 (UTC)',
      minutes: '分钟',
      right: '正确',
      answers: '答案',
      seed: '种子',
      state: '状态',
    },
    ownSeed: '与姓名相符',
    otherSeed: '与姓名不符',
    open: '打开',
  },
  'zh-Hant': {
    title: '檢查作業',
    introduction: '貼上學生繳交的代碼，每行一個：可以是試算表的一欄，也可以是整列。資料不會離開本頁面。',
    codes: '代碼',
    save: '儲存為 CSV',
    read: (good, all) => `已讀取 ${all} 行中的 ${good} 行。`,
    line: (line) => `第 ${line} 行`,
    missing: '沒有代碼。代碼以 attn1x 開頭。',
    cut: '的代碼被截斷了，必須完整複製。',
    changed: '的代碼被改動過：與校驗和不符。',
    columns: {
      line: '行',
      student: '學生',
      time: '繳交時間 (UTC)',
      minutes: '分鐘',
      right: '正確',
      answers: '答案',
      seed: '種子',
      state: '狀態',
    },
    ownSeed: '與姓名相符',
    otherSeed: '與姓名不符',
    open: '開啟',
  },
};

/**
 * Puts the texts of the reader's language, or of the one that the address names (?lang=es), where the page asks for them.
 *
 * @param {Document} page
 * @returns {{texts: typeof english, language: string}}
 */
export function translate(page) {
  const named = new URLSearchParams(page.location.search).get('lang');
  const language =
    [named ?? '', ...(named ? [] : navigator.languages)]
      .map((tag) => tag && closestLanguage(tag, Object.keys(texts)))
      .find(Boolean) || 'en';
  const own = texts[language];
  page.documentElement.lang = language;
  page.title = own.title;
  for (const element of page.querySelectorAll('[data-text]')) {
    element.textContent = /** @type {any} */ (own)[element.getAttribute('data-text') ?? ''];
  }
  return { texts: own, language };
}
