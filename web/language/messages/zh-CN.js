// Every text of the widget, in Simplified Chinese.

/** @type {import('../language.js').Messages} */
export default {
  locale: 'zh-CN',
  direction: 'ltr',

  controls: '控制项',
  divide: '÷ √d_k',
  divideByWidth: '÷ d_k',
  divideTitle: '将分数除以 √d_k',
  on: '开',
  off: '关',
  mistake: '错误',
  width: 'd_k',
  widthTitle: 'd_k，查询和键的维数',
  causal: '因果掩码',
  late: '后置掩码',
  sliding: '滑动窗口',
  window: '窗口',
  windowTitle: '一个查询能看见几个键，最后一个是它自己的键',
  padding: '填充',
  paddingTitle: '末尾有几个词元是填充',
  sentence: '句子',
  context: '键来自',
  emptySentence: '请至少输入一个词；图中仍是之前的句子。',
  seed: '随机种子',
  seedDefault: '默认',
  seedDefaultTitle: '恢复默认的随机种子',

  sweep: { play: '让 d_k 走到 64', pause: '暂停' },
  curves: {
    peak: '峰值权重',
    spread: '离散度',
    label: (token) => `d_k 从 2 到 64 时 ${token} 的峰值权重和分数离散度，除与不除`,
  },
  mend: (mistake) => `改正：${mistake}`,
  beside: { sqrt: '同样的数，除以 √d_k', none: '同样的数，不除' },

  heads: '头数',
  head: (number) => `第 ${number} 个头`,
  average: '平均，并不是一个头',
  headsMeaning:
    '每个头在 W_q、W_k、W_v 中各有自己的 d_k 列，除以的是自己的 d_k 的平方根，而不是整层宽度的。各头的输出并排拼接。图中显示的是选中的头。',

  figures: '指标',
  spread: '分数离散度',
  theory: {
    sqrt: () => '理论值 1',
    none: (width, expected) => `理论值 √${width} = ${expected}`,
    dk: (width, expected) => `理论值 1/√${width} = ${expected}`,
  },
  noTheory: '此处无定律可依',
  peak: (token) => `“${token}”的峰值权重`,
  peakOf: (token) => `落在“${token}”上`,
  softmax: 'softmax',
  state: {
    diffuse: '分散',
    peaked: '集中',
    'saturated (one-hot)': '饱和（独热）',
    'no visible key': '没有可见的键',
    'not a distribution': '不是概率分布',
  },
  oneKey: '只有一个键',
  nothingToLearn: '没有可学的',
  rowSum: (sum) => `行和为 ${sum}`,
  entropy: '熵',
  entropyOf: (maximum) => `最大 ${maximum}`,
  gradient: '此行的梯度',
  gradientState: {
    alive: '畅通',
    fading: '衰减',
    dead: '消失',
    'no choice': '无从选择',
    undefined: '未定义',
  },
  jacobian: (norm) => `雅可比 ${norm}`,
  announce: (f) =>
    `d_k 为 ${f.width}：分数离散度 ${f.spread}，峰值权重 ${f.peak}，softmax ${f.state}，梯度${f.gradient}`,

  heatmap: '注意力权重',
  axes: '行 = 查询（谁在关注），列 = 键',
  heatmapLabel: (queries, keys) => `注意力权重，${queries} 个查询 × ${keys} 个键`,
  cell: (query, key, weight) => `${query} 关注 ${key}，${weight}`,
  cellHidden: (query, key) => `${key} 对 ${query} 不可见`,
  zoom: { out: '缩小', up: '上移', in: '放大', left: '左移', down: '下移', right: '右移' },
  legend: '权重',
  legendHidden: '不可见',
  caution: '权重只说明值是从哪里混合来的，单凭权重不构成因果解释。',

  looksAt: (token) => `“${token}”关注……`,
  key: '键',
  score: '分数',
  weight: '权重',
  hidden: '不可见',
  overflow: '溢出',
  moreKeys: (count) => `……另有 ${count} 个键`,
  keysShown: (shown, all) => `${all} 个键中权重最大的 ${shown} 个；合计包含所有的键。`,

  arithmetic: (query, key) => `“${query}” → “${key}”`,
  pointedCell: (cell) => `${cell}（指针所指）`,
  stepScore: 'q·k',
  stepDivide: { sqrt: '÷ √d_k', none: '不除', dk: '÷ d_k' },
  now: '（当前）',
  stepMask: '掩码',
  stepMaskHidden: {
    future: '未来在 softmax 之前就被遮住',
    window: '窗口之前的键在 softmax 之前就被遮住',
    padding: '填充在 softmax 之前就被遮住',
  },
  stepMaximum: { keys: '− 行最大值', queries: '− 列最大值' },
  stepNoMaximum: '未减最大值',
  stepExponential: 'exp',
  stepSum: { keys: '÷ 行和', queries: '÷ 列和' },
  stepCleared: '在 softmax 之后清零',
  stepDropped: '在 softmax 之后被丢弃',
  allTerms: '所有项',
  moreTerms: (count) => `…\u00a0另\u00a0${count}\u00a0项`,

  layer: {
    name: '这一层，从 X 到 Z',
    meaning: {
      X: '嵌入',
      context: '键的嵌入',
      Wq: '生成查询',
      Wk: '生成键',
      Wv: '生成值',
      Q: '查询：每个词元问什么',
      K: '键：每个词元提供什么',
      V: '值：每个词元带着什么',
      S: 'softmax 看到的分数',
      Z: '输出',
    },
    column: (column) => `第 ${column} 列`,
    row: (row) => `第 ${row} 行`,
    scale: '每张图在各自的 ± 处颜色最满',
    sampled: '取样',
    along: { keys: '沿着键', queries: '沿着列' },
    dropout: 'dropout',
    isX: '没有矩阵',
    head: (head, first, last, all) => `头 ${head}：W_q、W_k、Q 和 K 共 ${all} 列中的第 ${first} 到 ${last} 列。`,
    shared: '同一个矩阵生成查询、键和值。',
    identity: '没有矩阵生成 q、k 和 v。',
    blendsX: 'V 与 Z 无关。',
  },

  walk: {
    name: '高亮查询走过的路',
    steps: ['x', 'q = x W_q', 'k, v', 'q·k', '÷ √d_k', '掩码', 'softmax', 'z = Σ a v'],
    back: '上一步',
    next: '下一步',
    play: '播放这条路',
    pause: '暂停',
    says: {
      x: (query, width, first) => `“${query}”以 x 进入，它是 ${width} 个数的嵌入；第一个是 ${first}。`,
      q: (query, matrix, width, first) =>
        `“${query}”提问：x 乘 ${matrix} 得到它的查询 q，共 ${width} 个数；第一个是 ${first}。`,
      qIsX: (query, first) => `“${query}”用 x 本身提问，因为没有矩阵：q 的第一个数是 ${first}。`,
      kv: (key, k, v) => `每个键提供一个 k，带着一个 v：“${key}”的以 ${k} 和 ${v} 开头。`,
      score: (query, key, score) => `“${query}”问，“${key}”答：q·k = ${score}，一个数说明两者有多相配。`,
      divide: {
        sqrt: (score, root, scaled) => `${score} ÷ √d_k = ${score} ÷ ${root} = ${scaled}。`,
        none: (score, root, scaled) => `门开着：${score} ÷ ${root} 仍是 ${scaled}。`,
        dk: (score, width, scaled) => `${score} ÷ d_k = ${score} ÷ ${width} = ${scaled}。`,
      },
      mask: (query, seen, keys) => `“${query}”看得见 ${keys} 个键中的 ${seen} 个；被遮住的分数在 softmax 之前是 −∞。`,
      lateMask: (query, seen, kept) => `softmax 看见“${query}”的 ${seen} 个键；之后才清掉，只留 ${kept} 个。`,
      softmax: {
        keys: (query, key, weight, sum) =>
          `exp，再 ÷ 总和：“${query}”给“${key}”的权重是 ${weight}；这一行合计 ${sum}。`,
        queries: (query, key, weight, sum) =>
          `exp，再 ÷ 一列的总和：“${query}”给“${key}” ${weight}，而这一行合计 ${sum}。`,
      },
      z: (query, weight, key, width, first) =>
        `“${query}”以 z 离开，其中“${key}”占 ${weight}：共 ${width} 个数，第一个是 ${first}。`,
    },
  },

  problem: (name, found, expected) => `无法计算。引擎的说明：${name} ${found}, but ${expected}.`,
  missing: (part) => `此处缺少 ${part}，无法显示图像。`,
  quoted: (text) => `“${text}”`,
  comma: '，',
  problems: {
    noTokens: () => '句子是空的：至少要有一个词元。',
    noWords: (found) => `词元是 ${found}，但必须是单词或字符串数组。`,
    seed: (found, least, most) => `随机种子是 ${found}，但必须是 ${least} 到 ${most} 之间的整数。`,
    heads: (found, tokens, most) => `${tokens} 个词元时最多只能有 ${most} 个头，不能是 ${found} 个。`,
    width: (name, found, other, value) => `${name} 是 ${found}，但没有各自的矩阵时，它必须等于 ${other} = ${value}。`,
    rateText: (found) => `学习率是 ${found}，但必须是正数，例如 0.5。`,
    rate: () => '学习率必须是大于 0 的有限数。',
    oneSentence: () => '这个任务只针对一个句子：来自另一个句子的键前面没有词元。',
    noTask: () => '这个任务需要两个不是填充的词元。',
    nothingToTrain: () => '没有参数，就没有可训练的东西。',
  },
  restore: '回到上一幅图',
  unreadable: '网址中保存的状态无法读取：它在传送途中被截断或改动过。现在显示的是作者设定的课程。',
  dismiss: '关闭',
  failed: (reason) => `无法显示。引擎提示：${reason}`,
  again: '重试',
  loading: '正在加载……',
  computing: '正在计算……',
  cancel: '取消',

  tooMany: (found, most) => `${found} 个词元在这里太多了：计算量随其平方增长，最多 ${most} 个。`,
  groups: { see: '查看', break: '出错', learn: '学习', try: '试答', take: '带走' },
  panels: {
    break: '故意弄错',
    proofs: '验证',
    shapes: '形状',
    worksheet: '演算表',
    jacobian: 'softmax 的雅可比矩阵',
    compare: '对比',
    gradients: '梯度',
    train: '训练',
    law: '√d_k 定律',
    checkpoints: '自测',
    code: '复制为代码',
    share: '嵌入与导出',
  },
  answers: {
    break: '只改一处,会出什么错?',
    proofs: '现在哪些定律成立?',
    shapes: '每个矩阵有多大?',
    worksheet: '一行怎样用手算出来?',
    jacobian: '一个权重怎样随一个分数变动?',
    compare: '两个状态之间变了什么?',
    gradients: '什么到达 W_q、W_k 和 W_v?',
    train: '它在学习,还是冻结了?',
    law: '为什么是 √d_k 而不是别的数?',
    checkpoints: '我懂了吗?',
    code: '用 NumPy、PyTorch、C++ 怎么写?',
    share: '怎样放进网页,或存下来?',
  },

  break: {
    introduction: '每种错误都会真实计算，它违反的定律会在“验证”里变红。',
    mend: '改正',
    larger: '更大的分数',
    mistakes: {
      noDivisor: {
        title: '没有除数',
        consequence: (spread, dead, rows) =>
          `离散度为 ${spread}，大致随 √d_k 增长；${rows} 行中有 ${dead} 行传不回梯度。默认的种子是特意挑选的，能清楚地展示这一点；定律则针对许多种子。`,
      },
      divisorTooLarge: {
        title: '用 ÷ d_k 代替 ÷ √d_k',
        consequence: (spread, entropy, maximum) =>
          `离散度为 ${spread}：注意力趋于均匀，熵为 ${entropy}（最大 ${maximum}）。`,
      },
      oneMatrix: {
        title: 'Q、K、V 共用一个矩阵',
        consequence: (asymmetry) => `max|S − Sᵀ| = ${asymmetry}：i 给 j 的分数等于 j 给 i 的分数，词元会关注自己。`,
      },
      noParameters: {
        title: '完全没有参数',
        consequence: (count) => `${count} 个参数：只有原始点积，S = Sᵀ，没有可训练的东西。`,
      },
      wrongAxis: {
        title: '沿列做 softmax',
        consequence: (sum, residual) => `每列之和为 1，而这一行之和为 ${sum}；偏差最大的一行差 ${residual}。`,
      },
      lateMask: {
        title: '在 softmax 之后加掩码',
        consequence: (token, sum, moved) =>
          `“${token}”这一行只剩 ${sum} 的权重：其余的泄漏给了未来。换掉最后一个词元，前面的输出最多会变 ${moved}。`,
      },
      noMaximum: {
        title: 'softmax 不减行最大值',
        consequence: (score, token) =>
          token === ''
            ? `还没有溢出：最大的分数是 ${score}；半精度在 11.09 以上溢出。`
            : `“${token}”这一行溢出：分数为 ${score} 时 exp 超出半精度（65504，即分数 11.09），而 ∞ ÷ ∞ 是 NaN。`,
      },
      dropout: {
        title: 'softmax 之后的 dropout',
        consequence: (token, dropped, keys, rate, sum) =>
          `“${token}”这一行的和是 ${sum}：${keys} 个权重中丢弃了 ${dropped} 个，其余除以 (1 − ${rate})。这不是错误：对所有抽样取平均，和为 1。训练时正确，训练之后仍开着就错了。`,
      },
      rawEmbeddings: {
        title: '混合 X 而不是 V',
        consequence: (residual, width, dV) =>
          width === dV
            ? `输出与 A·V 相差 ${residual}；W_v 什么也学不到。`
            : `输出宽 ${width}，而 d_v 是 ${dV}，不可能是 A·V（相差 ${residual}）；W_v 什么也学不到。`,
      },
    },
  },

  proofs: {
    summary: (holds, fails, open) => `刚刚算得：${holds} 条定律成立，${fails} 条不成立，${open} 条此处不作断言。`,
    outcomes: {
      holds: { mark: '✓', text: '成立' },
      fails: { mark: '✗', text: '不成立' },
      notClaimed: { mark: '–', text: '不作断言' },
    },
    measured: (residual, tolerance) => `相差 ${residual}，允许 ${tolerance}`,
    compared: (found, least) => `实际为 ${found}，至少应为 ${least}`,
    between: (found, least, most) => `实际为 ${found}，应在 ${least} 到 ${most} 之间`,
    least: '至少',
    missing: '差额',
    item: '行',
    found: '实际值',
    expected: '期望值',
    residual: '相差',
    laws: {
      weightsAreFinite: { claim: '每个权重都是数', method: '每一行中有多少个不是数。' },
      rowsSumToOne: { claim: '每一行之和为 1', method: '每一行的和。' },
      futureIsHidden: {
        claim: '未来的权重恰好为 0',
        method: '落在后面的键上的最大权重。仅在使用因果掩码的课程中作此断言。',
      },
      pastIsUntouched: {
        claim: '最后一个词元不改变前面的任何输出，逐位相同',
        method:
          '把最后一个嵌入取反（x → −x）后重新计算。列出的是每个输出的第一个数；相差按所有的数计。仅在使用因果掩码的课程中作此断言。',
      },
      windowIsKept: {
        claim: '窗口之前的权重恰好为 0',
        method: '落在窗口之前的键上的最大权重。仅在使用滑动窗口时作此断言。',
      },
      paddingIsHidden: {
        claim: '填充的权重恰好为 0',
        method: '落在填充键上的最大权重。仅在有填充时作此断言。',
      },
      paddingDoesNotCount: {
        claim: '填充不改变其他任何输出，逐位相同',
        method:
          '把填充的嵌入取反（x → −x）后重新计算。列出的是每个输出的第一个数；相差按所有的数计。仅在有填充时作此断言。',
      },
      orderDoesNotCount: {
        claim: '词元倒序，输出也随之倒序',
        method: '倒过来重新计算。列出的是每个输出的第一个数；相差按所有的数计。没有掩码和填充时才作此断言。',
        claimAcross: '键倒序，输出不变',
      },
      outputHasShape: { claim: '输出的形状是 (T, d_v)', method: '它的两个长度。', items: ['T', 'd_v'] },
      valuesAreBlended: { claim: '输出就是 A·V', method: '重新计算。列出的是每个输出的第一个数；相差按所有的数计。' },
      rolesDiffer: { claim: 'Q 与 K 不同：S 不对称', method: '大于舍入误差。', items: ['max|S − Sᵀ|'] },
      somethingCanLearn: { claim: '有东西可以学习', method: '训练可以改变多少个数。', items: ['参数个数'] },
      spreadIsKept: {
        claim: '分数进入 softmax 时离散度接近 1',
        method: '在 2 倍以内；相差以 2 的幂次计。只对随机的、各自独立的矩阵作此断言。',
        items: ['离散度'],
      },
      entropyIsKept: { claim: '没有哪一行比 ÷ √d_k 时更不均匀', method: '每一行的熵，以及 ÷ √d_k 时的熵。' },
      gradientIsAlive: {
        claim: '每一行都有梯度传回',
        method:
          '按实际计算所得的 softmax 雅可比矩阵的范数：至少为 0.05；若均匀 softmax 的一半更小，则至少为这一半；无从选择时为 0。',
      },
    },
  },

  shapes: {
    meaning: { T: '词元', T_q: '查询数', T_k: '键数', d_model: '嵌入', d_k: '查询、键', d_v: '值' },
    batch: '带批次',
    batchNote: '一次处理 B 个句子：除矩阵 W 之外，形状最前面都多一个 B。转置交换最后两维。',
    oneHead: (heads) =>
      `表中是 ${heads} 个头中的一个，它在 W_q、W_k、W_v 中各有自己的列。所有头的输出并排拼接，h = ${heads}。`,
    joined: '拼接后的输出',
    embeddings: '嵌入',
    learned: '可学习',
    identity: '恒等',
    transposed: 'K 的转置',
    transposes: '选择转置方式',
    right: {
      S: '每个查询对每个键各有一个分数。',
      Z: '每个查询各有一份混合结果。',
    },
    clash: (left, right) => `${left} 遇上 ${right}：无法相乘。`,
    features: '形状对得上，但比较的是特征与特征：没有谁关注谁。',
    coincidence: (equal) => `只是因为 ${equal} 才对得上，这不是注意力。`,
    memory: 'T × T 的代价',
    bytes: '字节',
    cost: (table, size, huge) =>
      `S 和 A 各有 ${table} 个数：用 float32 各占 ${size}。到 131,072 个词元（128 k）时，每个头、每一层各占 ${huge}。融合算子从不存下它们：逐块计算，只为每个查询保留当前的最大值、和与混合结果。`,
    window: (window, T) => `窗口为 ${window} 时，每一行只需要 ${T} 个分数中的 ${window} 个：计算量只随 T 线性增长。`,
    padding: (padding, T) => `填充（${T} 个中的 ${padding} 个）在每个形状中都占位置，但不参与任何求和。`,
  },

  worksheet: {
    digits: '全部数位',
    all: (count) => `全部 ${count} 个`,
    products: 'q × k_j',
    score: '求和：q·k_j',
    contribution: { values: '权重 × v_j', embeddings: '权重 × x_j' },
    sum: '合计',
    cleared: '已清零',
  },

  jacobianPanel: {
    meaning: '第 j 行第 l 列：权重 j 随分数 l 怎样变化。梯度消失的行不向 W_q 和 W_k 传回任何梯度。',
    norm: '范数 ',
    oneKey: '只有一个键：无从选择，雅可比矩阵为 0。',
    late: '掩码加在 softmax 之后：不可见的分数仍会改变留下的权重，见它们的列，而各列之和不是 0。',
    columns:
      'softmax 沿列进行：在同一行里，一个权重只随它自己的分数变化。它还随同一列中其他行的分数变化，变化率为 −a_ij·a_mj，这张只画一行的图无法显示。',
    dropout: '就这一次抽样而言：被丢弃的权重不动，其余权重的变化是原来的 1 ÷ (1 − p) 倍。',
  },

  chart: {
    numbers: '以表格列出同样的数',
    edges: ['10%', '90%'],
  },

  gradientsPanel: {
    meaning:
      '损失 L 要求每个位置交出它前一个词元的值（见“训练”）。图中是 ∂L/∂S，即分数的梯度。W_q 和 W_k 只能经由 softmax 得到梯度，W_v 则绕过它。雅可比矩阵 J 的范数低于 0.05 的行，其 softmax 的梯度消失：对权重的要求很少能传到分数。份额是对 ‖∂L/∂S‖² 而言的，总和为 1。不做 ÷ √d_k 时，通往 W_q 和 W_k 的路上缺少因子 1/√d_k，其余少数几行的要求就很强。',
    norms: {
      WqNorm: '‖∂L/∂W_q‖，经由 softmax',
      WkNorm: '‖∂L/∂W_k‖，经由 softmax',
      WvNorm: '‖∂L/∂W_v‖，绕过 softmax',
    },
    dead: (dead, rows) => `${rows} 行中有 ${dead} 行的 softmax 梯度消失。`,
    most: (token, share) => `“${token}”承担最多：占总体的 ${share}。`,
    factor: (norm, divide) => `‖∂L/∂S‖ ${norm}，再到 q·k：${divide}`,
    columns: ['份额', '峰值'],
  },

  train: {
    task: '每个位置都要交出它前一个词元的值；损失是均方误差。第一个词元前面没有词元，所以它那一行没有目标，对训练不起作用。各次训练的句子、种子、起点和学习率都相同，只有除数不同。',
    padded: '填充所在的行同样没有目标。',
    otherWidth: '训练有自己的 d_k，从 64 开始，那里除数最要紧；上图保持它自己的。',
    play: '播放',
    pause: '暂停',
    step: '单步',
    reset: '重置',
    rate: '学习率',
    trained: '训练对象',
    matrices: { queryAndKey: 'Wq 和 Wk', value: 'Wv', all: '三个都训练' },
    third: '加上 ÷ d_k',
    steps: (taken, last) => `第 ${taken} 步，共 ${last} 步`,
    lossChart: '损失',
    stepAxis: '步数',
    loss: '均方误差',
    losses: (first, last) => `损失 ${first} → ${last}`,
    norms: {
      WqNorm: '‖∂L/∂W_q‖',
      WkNorm: '‖∂L/∂W_k‖',
      WvNorm: '‖∂L/∂W_v‖',
      meanJacobian: '雅可比矩阵的平均范数',
    },
    stopped: (run, step) => `${run}：${step} 步之后损失不再是有限的数，训练停止。`,
    verdicts: {
      learnt: (from, to, step) =>
        `学会了：注意力找到了前一个词元。损失 ${from} → ${to}，从第 ${step} 步起低于最初的 40%。`,
      slower: (from, to, step) => `学得较慢。损失 ${from} → ${to}，从第 ${step} 步起才低于最初的 40%。`,
      finished: 'softmax 最后变成独热，是因为已经找到了各自的词元：这是学完了，不是梯度消失。',
      settled: (from, to, gradient) => `走了一段就停下了。损失 ${from} → ${to}，最后的梯度是 ${gradient}。`,
      slow: (from, to, gradient) => `仍在学习。损失 ${from} → ${to}，梯度仍有 ${gradient}。`,
      frozen: (from, to, jacobian) =>
        `从一开始就冻结了。第一步之前雅可比矩阵的平均范数是 ${jacobian}；损失 ${from} → ${to}。`,
      died: (from, to, first, most, last, step) =>
        `走过了头，然后梯度消失。梯度开始时是 ${first}，最大 ${most}；步子把 softmax 甩到错误的词元上，从第 ${step} 步起只剩不到百分之一，最后是 ${last}。损失 ${from} → ${to}。`,
      stuck: (from, to, gradient) => `进展不大。损失 ${from} → ${to}，最后的梯度是 ${gradient}。`,
    },
    sweepMeaning: '一个学习率只能说明一种情形。扫描用八个学习率和三种宽度各训练 200 步，并显示每次训练的结果。',
    sweep: '扫描',
    cancel: '取消',
    sweepChart: '200 步之后的损失',
    finalLoss: '均方误差',
  },

  law: {
    derivation:
      'q·k 是 d_k 个乘积 q_c·k_c 之和。q 和 k 的分量均值为 0，方差约为 1，所以每个乘积的方差约为 1，d_k 个独立的乘积相加，方差就是 d_k：离散度为 √d_k。除以 √d_k，无论宽度多大都回到 1。没有任何调参。对各个种子实测：',
    variances: {
      query: () => 'q 的一个分量的方差',
      key: () => 'k 的一个分量的方差',
      product: () => '一个乘积 q_c·k_c 的方差',
      score: (width) => `q·k 的方差，即 ${width} 个乘积之和`,
    },
    fixed: '四个词元的数值是固定的，没有种子可抽。定律说的是随机矩阵，例如句子所用的矩阵。',
    sample: '样本',
    seeds: (count) => `${count} 个种子`,
    progress: '已计算的种子',
    cancelled: (seeds) => `在 ${seeds} 个种子之后取消；图中显示的就是它们。`,
    spread: 'q·k 的离散度',
    spreadAxis: '分数的标准差：中位数，10–90%',
    theory: { none: '理论值 √d_k', sqrt: '理论值 1' },
    here: '上面的图',
    peak: '峰值权重',
    jacobian: 'softmax 雅可比矩阵',
    saturated: '饱和的行',
    axes: {
      peak: '各行的平均值',
      jacobian: '各行范数的平均值',
      saturated: '峰值达到 0.95 的行所占的比例',
    },
  },

  compare: {
    intro: '把当前状态固定为 A，然后随意改动。',
    pin: '固定为 A',
    pair: '缩放 / 不缩放',
    swap: '交换',
    unpin: '取消固定',
    first: 'A（已固定）',
    second: 'B（当前）',
    difference: 'B − A',
    largest: '最大差值 ',
    same: 'A 和 B 是同一个状态。',
    overflow: ' 有 softmax 溢出：留下的不是数。',
    changed: (list) => `从 A 到 B：${list}。`,
    values: {
      none: '无掩码',
      separate: '三个矩阵',
      keys: '沿行做 softmax',
      stable: '减去行最大值',
      values: '混合 V',
      sentence: '一个句子',
      'four-token': '四个词元',
    },
    mismatch: (a, b) => `A 有 ${a} 个词元，B 有 ${b} 个：无法对比。`,
    more: (shown, all) => `${all} 个查询中差异最大的 ${shown} 个。`,
  },

  checkpoints: {
    introduction: '先猜，再动手验证。',
    right: '猜对了。',
    wrong: (answer) => `不对，应该是：${answer}。`,
    show: '演示',
    questionsTitle: '用自己的话回答',
    exercises: {
      peak: {
        question: 'd_k = 64 且不做 ÷ √d_k 时，高亮行的峰值权重是多少？',
        choices: ['约 0.3', '约 0.7', '约 1'],
        deed: '现在关掉 ÷ √d_k，把 d_k 拖到 64。',
        reveal: (found) => `峰值权重是 ${found}。`,
      },
      divisor: {
        question: 'd_k = 64 时，哪个除数让分数的离散度保持在 1 附近？',
        choices: ['√d_k', 'd_k'],
        deed: '现在把 d_k 拖到 64，试试 ÷ √d_k，再试试 ÷ d_k（在“故意弄错”里）。',
        reveal: (found) => `用 ÷ √d_k 时离散度是 ${found}，用 ÷ d_k 时只有它的八分之一。`,
      },
      oneKey: {
        question: '一个查询只看得见一个键时，权重是多少？',
        choices: ['小于 1', '恰好为 1', '取决于它的分数'],
        deed: '现在在因果掩码下选择第一行。',
        reveal: (found) => `它唯一的权重是 ${found}，与分数无关：没有可学的。`,
      },
      sharper: {
        question: '不做 ÷ √d_k 时，看得见多个键的一行，熵会怎样？',
        choices: ['下降', '不变', '上升'],
        deed: '现在在 ÷ √d_k 打开时选这样一行，再猜一次，然后关掉 ÷ √d_k。',
        reveal: (before, now) => `它原来是 ${before}，现在是 ${now}。`,
      },
      lateMask: {
        question: '掩码加在 softmax 之后时，各行之和是多少？',
        choices: ['小于 1', '恰好为 1', '大于 1'],
        deed: '现在在“故意弄错”里选择“在 softmax 之后加掩码”。',
        reveal: (found) => `剩得最少的一行只有 ${found}。`,
      },
      lastToken: {
        question: '在因果掩码下，最后一个词元会改变哪些输出？',
        choices: ['都不变', '只有最后一个', '全部'],
        deed: '现在打开因果掩码，再猜一次，然后改掉最后一个词。',
        reveal: (found) => `前面有 ${found} 个输出改变了。`,
      },
      axis: {
        question: '沿列做 softmax 时，高亮行之和是多少？',
        choices: ['小于 1', '恰好为 1', '大于 1'],
        deed: '现在在“故意弄错”里选择“沿列做 softmax”。',
        reveal: (found) => `它的和是 ${found}。`,
      },
      oneMatrix: {
        question: 'Q、K、V 共用一个矩阵时，i 给 j 的分数和 j 给 i 的分数有什么关系？',
        choices: ['相反', '相等', '无关'],
        deed: '现在在“故意弄错”里选择“Q、K、V 共用一个矩阵”。',
        reveal: (found) => `它们最多相差 ${found}。`,
      },
    },
    questions: {
      trained: '没有参数的注意力为什么无法训练？',
      roles: '查询在问什么？键提供什么？值携带什么？',
      derive: '把一行的乘积加起来：为什么是 √d_k，而不是别的数？',
      without: '没有除数时，还有什么能传到 W_q 和 W_k？',
      values: '为什么混合的是值，而不是嵌入？',
      square: '哪个矩阵随句子长度的平方增长，代价是什么？',
      tooMuch: '除以 d_k 是不是也行？',
    },
  },

  code: {
    language: '语言',
    copy: '复制',
    copied: '已复制',
    selected: '已选中：请用键盘复制',
    label: '程序',
    mistake: (title, law) => `${title}。定律：${law}。`,
    long: '太长，无法在此显示。请整体复制。',
  },

  share: {
    tag: '标签：放进你自己的网页',
    frame: '内嵌框架（iframe）：用于不允许脚本的网页',
    link: '指向当前状态的链接',
    files: '把图和数值存为文件',
    unknownFolder: (folder) =>
      `此组件不知道自己的文件放在哪里。请把 ${folder} 换成存放 attention-widget.js 和 embed/ 的文件夹地址。`,
    noDownload:
      '如果没有得到文件，说明外层网页禁止下载：它的标签需要 sandbox="allow-scripts allow-downloads"。表格和 SVG 可以从这里复制：',
  },
};
