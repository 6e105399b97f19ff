// What the editor says, in Simplified Chinese.

/** A number as a reader reads it: every digit that decides, and no more. @param {unknown} value */
const written = (value) =>
  typeof value === 'number' ? String(Number(value.toPrecision(6))).replace('-', '−') : String(value);

/** What was there instead of a list of numbers. @param {string | number} found */
const instead = (found) =>
  typeof found === 'number'
    ? `有 ${found} 个数`
    : found === 'undefined'
      ? '没有给出'
      : found.startsWith('list:')
        ? `有一项的类型是 ${found.slice('list:'.length)}`
        : `的类型是 ${found}`;

/** @type {Record<string, (values: any[], row: import('./rows.js').Row) => string>} */
const faults = {
  shape: ([name, found, wanted]) => `形状正确：${name} ${instead(found)}，应当是 ${wanted} 个数的列表。`,
  finite: ([name, found], { scores }) => {
    const [largest, smallest] = [Math.max(...scores), Math.min(...scores)];
    const why =
      largest > 709
        ? `最大的分数是 ${written(largest)}，而 exp(${written(largest)}) 是 Infinity。请在 exp 之前减去这一行的最大值。`
        : smallest < -700
          ? `分数在 ${written(smallest)} 附近，而 exp(${written(smallest)}) 是 0：你除以了 0。请在 exp 之前减去这一行的最大值。`
          : '';
    return `不溢出：${name} 是 ${found}。${why}`;
  },
  future: ([key, weight]) =>
    `未来恰好是 0：键 ${key} 在查询之后，它的权重却是 ${written(weight)}。请在 softmax 之前把它的分数设为 −Infinity。`,
  sum: ([sum]) => `加起来是一：你的权重之和是 ${written(sum)}。`,
  weights: ([name, found, expected]) =>
    `核心的权重：你的 ${name} 是 ${written(found)}，核心的是 ${written(expected)}。`,
  output: ([name, found, expected]) => `核心的输出：你的 ${name} 是 ${written(found)}，核心的是 ${written(expected)}。`,
};

/** @type {typeof import('./english.js').default} */
export default {
  label: '用 JavaScript 写的 attention_row',
  run: '在十行上运行',
  reset: '重新开始',
  keys: '按 Control 加回车运行。按 Tab 离开编辑器。',
  running: '正在运行……',
  rows: {
    plain: '六个词，所有的键都看得见',
    narrowValues: '查询宽度 5，值宽度 3',
    wide: '宽度 64，最后一个词',
    oneVisible: '因果，一个看得见的键',
    twoVisible: '因果，两个看得见的键',
    lastRow: '因果，四个词元中的最后一个',
    causal: '因果，六个词中的第三个',
    oneToken: '只有一个词元的文本',
    huge: '因果，分数达到 800',
    negative: '分数达到 −800',
  },
  holds: '全部成立。',
  faults,
  threw: (text) => `它抛出了 ${text}`,
  endless: (seconds) => `它在 ${seconds} 秒内没有结束，已被停止。是不是有一个永不结束的循环？后面的行没有运行。`,
  problems: {
    noWorker: () =>
      '程序无法在这里运行：浏览器没有为本页启动 worker。以文件方式打开的页面就是这样；请从服务器打开，例如用 npm start。',
    unreadable: (text) => `程序无法读懂：${text}`,
    threwBefore: (text) => `程序在运行任何一行之前抛出了错误：${text}`,
    noFunction: () => '程序没有定义名为 attention_row 的函数。',
    endlessBefore: (_, seconds) =>
      `程序在运行任何一行之前，${seconds} 秒内没有结束，已被停止。是不是有一个永不结束的循环？`,
  },
  someFail: (held, all) => `${all} 行中有 ${held} 行成立。`,
  allHold: (all) => `${all} 行全部成立。`,
  unmoved: '只有第四个词元变了：第一到第三个输出直到最后一位都相同。未来什么也影响不到。',
  moved: ({ row, before, after }) =>
    `只有第四个词元变了，而第 ${row + 1} 个词元的输出从 ${written(before)} 变成 ${written(after)}。它看到了未来。`,
  entropies: (divided, notDivided) =>
    `四个词元中最后一行的熵，有缩放时是 ${written(divided)}。没有缩放时，核心得到 ${written(notDivided)}。`,
};
