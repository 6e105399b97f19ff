// What the editor says, in Spanish.

/** A number as a reader reads it: every digit that decides, and no more. @param {unknown} value */
const written = (value) =>
  typeof value === 'number'
    ? String(Number(value.toPrecision(6)))
        .replace('-', '−')
        .replace('.', ',')
    : String(value);

/** What was there instead of a list of numbers. @param {string | number} found */
const instead = (found) =>
  typeof found === 'number'
    ? `tiene ${found} ${found === 1 ? 'número' : 'números'}`
    : found === 'undefined'
      ? 'falta'
      : found.startsWith('list:')
        ? `tiene una entrada del tipo ${found.slice('list:'.length)}`
        : `es del tipo ${found}`;

/** @type {Record<string, (values: any[], row: import('./rows.js').Row) => string>} */
const faults = {
  shape: ([name, found, wanted]) =>
    `Forma correcta: ${name} ${instead(found)}, y debe ser una lista de ${wanted} ${wanted === 1 ? 'número' : 'números'}.`,
  finite: ([name, found], { scores }) => {
    const [largest, smallest] = [Math.max(...scores), Math.min(...scores)];
    const why =
      largest > 709
        ? ` La mayor puntuación es ${written(largest)}, y exp(${written(largest)}) es Infinity. Resta el máximo de la fila antes de exp.`
        : smallest < -700
          ? ` Las puntuaciones están cerca de ${written(smallest)}, y exp(${written(smallest)}) es 0: divides por 0. Resta el máximo de la fila antes de exp.`
          : '';
    return `Sin desbordar: ${name} es ${found}.${why}`;
  },
  future: ([key, weight]) =>
    `El futuro exactamente 0: la clave ${key} viene después de la consulta, y su peso es ${written(weight)}. Pon su puntuación a −Infinity antes de la softmax.`,
  sum: ([sum]) => `Suma uno: tus pesos suman ${written(sum)}.`,
  weights: ([name, found, expected]) =>
    `Los pesos del núcleo: tu ${name} es ${written(found)}, y el núcleo tiene ${written(expected)}.`,
  output: ([name, found, expected]) =>
    `La salida del núcleo: tu ${name} es ${written(found)}, y el núcleo tiene ${written(expected)}.`,
};

/** @type {typeof import('./english.js').default} */
export default {
  label: 'attention_row en JavaScript',
  run: 'Ejecutar con diez filas',
  reset: 'Empezar de nuevo',
  keys: 'Control e Intro lo ejecutan. El tabulador sale del editor.',
  running: 'Ejecutando …',
  rows: {
    plain: 'Seis palabras, todas las claves visibles',
    narrowValues: 'Consultas de anchura 5, valores de anchura 3',
    wide: 'Anchura 64, la última palabra',
    oneVisible: 'Causal, una clave visible',
    twoVisible: 'Causal, dos claves visibles',
    lastRow: 'Causal, el último de cuatro tokens',
    causal: 'Causal, la tercera de seis palabras',
    oneToken: 'Un texto de un token',
    huge: 'Causal, puntuaciones de 800',
    negative: 'Puntuaciones de −800',
  },
  holds: 'Todo se cumple.',
  faults,
  threw: (text) => `Lanzó ${text}`,
  endless: (seconds) =>
    `No terminó en ${seconds} segundos y se detuvo. ¿Hay un bucle que no acaba nunca? Las filas siguientes no se ejecutaron.`,
  problems: {
    noWorker: () =>
      'El programa no puede correr aquí: el navegador no inicia ningún worker para esta página. No lo hace con páginas abiertas como archivos; ábrela desde un servidor, por ejemplo con npm start.',
    unreadable: (text) => `El programa no se puede leer: ${text}`,
    threwBefore: (text) => `El programa lanzó un error antes de la primera fila: ${text}`,
    noFunction: () => 'El programa no define ninguna función con el nombre attention_row.',
    endlessBefore: (_, seconds) =>
      `El programa no terminó en ${seconds} segundos, antes de la primera fila, y se detuvo. ¿Hay un bucle que no acaba nunca?`,
  },
  someFail: (held, all) => `${held} de ${all} filas se cumplen.`,
  allHold: (all) => `Las ${all} filas se cumplen.`,
  unmoved:
    'Solo cambió el token cuatro: las salidas uno a tres son iguales hasta el último bit. El futuro no llega a nada.',
  moved: ({ row, before, after }) =>
    `Solo cambió el token cuatro, y la salida del token ${row + 1} pasó de ${written(before)} a ${written(after)}. Mira al futuro.`,
  entropies: (divided, notDivided) =>
    `La entropía de la última fila de cuatro es ${written(divided)} con la escala. Sin ella el núcleo encuentra ${written(notDivided)}.`,
};
