// Every text of the widget, in Traditional Chinese as it is written in Taiwan: rows are 列 and columns 欄.

/** @type {import('../language.js').Messages} */
export default {
  locale: 'zh-Hant',
  direction: 'ltr',

  controls: '控制項',
  divide: '÷ √d_k',
  divideByWidth: '÷ d_k',
  divideTitle: '將分數除以 √d_k',
  on: '開',
  off: '關',
  mistake: '錯誤',
  width: 'd_k',
  widthTitle: 'd_k，查詢與鍵的維數',
  causal: '因果遮罩',
  late: '事後遮罩',
  sliding: '滑動視窗',
  window: '視窗',
  windowTitle: '一個查詢看得到幾個鍵，最後一個是它自己的鍵',
  padding: '填充',
  paddingTitle: '句尾有幾個詞元是填充',
  sentence: '句子',
  context: '鍵來自',
  emptySentence: '請至少輸入一個詞；圖中仍是先前的句子。',
  seed: '亂數種子',
  seedDefault: '預設',
  seedDefaultTitle: '回復預設的亂數種子',

  sweep: { play: '讓 d_k 走到 64', pause: '暫停' },
  curves: {
    peak: '峰值權重',
    spread: '離散程度',
    label: (token) => `d_k 從 2 到 64 時 ${token} 的峰值權重和分數離散程度，除與不除`,
  },
  mend: (mistake) => `改正：${mistake}`,
  beside: { sqrt: '同樣的數，除以 √d_k', none: '同樣的數，不除' },

  heads: '頭數',
  head: (number) => `第 ${number} 個頭`,
  average: '平均，並不是一個頭',
  headsMeaning:
    '每個頭在 W_q、W_k、W_v 中各有自己的 d_k 欄，除以的是自己的 d_k 的平方根，而不是整層寬度的平方根。各頭的輸出並排串接。圖中顯示的是選取的頭。',

  figures: '數據',
  spread: '分數離散程度',
  theory: {
    sqrt: () => '理論值 1',
    none: (width, expected) => `理論值 √${width} = ${expected}`,
    dk: (width, expected) => `理論值 1/√${width} = ${expected}`,
  },
  noTheory: '此處沒有定律可循',
  peak: (token) => `「${token}」的峰值權重`,
  peakOf: (token) => `落在「${token}」`,
  softmax: 'softmax',
  state: {
    diffuse: '分散',
    peaked: '集中',
    'saturated (one-hot)': '飽和（one-hot）',
    'no visible key': '沒有可見的鍵',
    'not a distribution': '不是機率分布',
  },
  oneKey: '只有一個鍵',
  nothingToLearn: '沒有可學的',
  rowSum: (sum) => `列總和為 ${sum}`,
  entropy: '熵',
  entropyOf: (maximum) => `最大 ${maximum}`,
  gradient: '此列的梯度',
  gradientState: {
    alive: '暢通',
    fading: '減弱',
    dead: '消失',
    'no choice': '別無選擇',
    undefined: '未定義',
  },
  jacobian: (norm) => `Jacobian 範數 ${norm}`,
  announce: (f) =>
    `d_k 為 ${f.width}：分數離散程度 ${f.spread}，峰值權重 ${f.peak}，softmax ${f.state}，梯度${f.gradient}`,

  heatmap: '注意力權重',
  axes: '列 = 查詢（誰在看），欄 = 鍵',
  heatmapLabel: (queries, keys) => `注意力權重，${queries} 個查詢 × ${keys} 個鍵`,
  cell: (query, key, weight) => `${query} 看 ${key}，${weight}`,
  cellHidden: (query, key) => `${query} 看不到 ${key}`,
  zoom: { out: '縮小', up: '上移', in: '放大', left: '左移', down: '下移', right: '右移' },
  legend: '權重',
  legendHidden: '看不到',
  caution: '權重只說明值是從哪裡混合而來，單憑權重並不構成因果解釋。',

  looksAt: (token) => `「${token}」看著……`,
  key: '鍵',
  score: '分數',
  weight: '權重',
  hidden: '看不到',
  overflow: '溢位',
  moreKeys: (count) => `……另有 ${count} 個鍵`,
  keysShown: (shown, all) => `${all} 個鍵中權重最大的 ${shown} 個；總和包含所有的鍵。`,

  arithmetic: (query, key) => `「${query}」→「${key}」`,
  pointedCell: (cell) => `${cell}（游標所在）`,
  stepScore: 'q·k',
  stepDivide: { sqrt: '÷ √d_k', none: '不除', dk: '÷ d_k' },
  now: '（目前）',
  stepMask: '遮罩',
  stepMaskHidden: {
    future: '未來在 softmax 之前就已遮住',
    window: '視窗之前的鍵在 softmax 之前就已遮住',
    padding: '填充在 softmax 之前就已遮住',
  },
  stepMaximum: { keys: '− 列最大值', queries: '− 欄最大值' },
  stepNoMaximum: '未減最大值',
  stepExponential: 'exp',
  stepSum: { keys: '÷ 列總和', queries: '÷ 欄總和' },
  stepCleared: '在 softmax 之後歸零',
  stepDropped: '在 softmax 之後捨棄',
  allTerms: '所有項',
  moreTerms: (count) => `…\u00a0另\u00a0${count}\u00a0項`,

  layer: {
    name: '這一層，從 X 到 Z',
    meaning: {
      X: '嵌入',
      context: '鍵的嵌入',
      Wq: '生成查詢',
      Wk: '生成鍵',
      Wv: '生成值',
      Q: '查詢：每個詞元問什麼',
      K: '鍵：每個詞元提供什麼',
      V: '值：每個詞元帶著什麼',
      S: 'softmax 看到的分數',
      Z: '輸出',
    },
    column: (column) => `第 ${column} 欄`,
    row: (row) => `第 ${row} 列`,
    scale: '每張圖在各自的 ± 處顏色最滿',
    sampled: '取樣',
    along: { keys: '沿著鍵', queries: '沿著欄' },
    dropout: 'dropout',
    isX: '沒有矩陣',
    head: (head, first, last, all) => `頭 ${head}：W_q、W_k、Q 和 K 共 ${all} 欄中的第 ${first} 到 ${last} 欄。`,
    shared: '同一個矩陣生成查詢、鍵和值。',
    identity: '沒有矩陣生成 q、k 和 v。',
    blendsX: 'V 與 Z 無關。',
  },

  walk: {
    name: '高亮查詢走過的路',
    steps: ['x', 'q = x W_q', 'k, v', 'q·k', '÷ √d_k', '遮罩', 'softmax', 'z = Σ a v'],
    back: '上一步',
    next: '下一步',
    play: '播放這條路',
    pause: '暫停',
    says: {
      x: (query, width, first) => `「${query}」以 x 進入，它是 ${width} 個數的嵌入；第一個是 ${first}。`,
      q: (query, matrix, width, first) =>
        `「${query}」提問：x 乘 ${matrix} 得到它的查詢 q，共 ${width} 個數；第一個是 ${first}。`,
      qIsX: (query, first) => `「${query}」用 x 本身提問，因為沒有矩陣：q 的第一個數是 ${first}。`,
      kv: (key, k, v) => `每個鍵提供一個 k，帶著一個 v：「${key}」的以 ${k} 和 ${v} 開頭。`,
      score: (query, key, score) => `「${query}」問，「${key}」答：q·k = ${score}，一個數說明兩者有多相配。`,
      divide: {
        sqrt: (score, root, scaled) => `${score} ÷ √d_k = ${score} ÷ ${root} = ${scaled}。`,
        none: (score, root, scaled) => `門開著：${score} ÷ ${root} 仍是 ${scaled}。`,
        dk: (score, width, scaled) => `${score} ÷ d_k = ${score} ÷ ${width} = ${scaled}。`,
      },
      mask: (query, seen, keys) => `「${query}」看得見 ${keys} 個鍵中的 ${seen} 個；被遮住的分數在 softmax 之前是 −∞。`,
      lateMask: (query, seen, kept) => `softmax 看見「${query}」的 ${seen} 個鍵；之後才清掉，只留 ${kept} 個。`,
      softmax: {
        keys: (query, key, weight, sum) =>
          `exp，再 ÷ 總和：「${query}」給「${key}」的權重是 ${weight}；這一列合計 ${sum}。`,
        queries: (query, key, weight, sum) =>
          `exp，再 ÷ 一欄的總和：「${query}」給「${key}」 ${weight}，而這一列合計 ${sum}。`,
      },
      z: (query, weight, key, width, first) =>
        `「${query}」以 z 離開，其中「${key}」占 ${weight}：共 ${width} 個數，第一個是 ${first}。`,
    },
  },

  problem: (name, found, expected) => `無法計算。引擎的說明：${name} ${found}, but ${expected}.`,
  missing: (part) => `此處缺少 ${part}，無法顯示圖。`,
  quoted: (text) => `「${text}」`,
  comma: '，',
  problems: {
    noTokens: () => '句子是空的：至少要有一個詞元。',
    noWords: (found) => `詞元是 ${found}，但必須是單字或字串陣列。`,
    seed: (found, least, most) => `亂數種子是 ${found}，但必須是 ${least} 到 ${most} 之間的整數。`,
    heads: (found, tokens, most) => `有 ${tokens} 個詞元時最多只能有 ${most} 個頭，不能是 ${found} 個。`,
    width: (name, found, other, value) => `${name} 是 ${found}，但沒有各自的矩陣時，它必須等於 ${other} = ${value}。`,
    rateText: (found) => `學習率是 ${found}，但必須是正數，例如 0.5。`,
    rate: () => '學習率必須是大於 0 的有限數。',
    oneSentence: () => '這項任務只適用於單一句子：來自另一個句子的鍵，前面沒有詞元。',
    noTask: () => '這項任務需要兩個不是填充的詞元。',
    nothingToTrain: () => '沒有參數，就沒有東西可以訓練。',
  },
  restore: '回到上一張圖',
  unreadable: '網址中儲存的狀態無法讀取：它在傳送途中被截斷或更動過。現在顯示的是作者設定的課程。',
  dismiss: '關閉',
  failed: (reason) => `無法顯示。引擎的訊息：${reason}`,
  again: '重試',
  loading: '載入中……',
  computing: '計算中……',
  cancel: '取消',

  tooMany: (found, most) => `${found} 個詞元在這裡太多了：計算量隨其平方成長，最多 ${most} 個。`,
  groups: { see: '檢視', break: '出錯', learn: '學習', try: '試答', take: '帶走' },
  panels: {
    break: '故意弄錯',
    proofs: '驗證',
    shapes: '形狀',
    worksheet: '計算過程',
    jacobian: 'softmax 的 Jacobian 矩陣',
    compare: '比較',
    gradients: '梯度',
    train: '訓練',
    law: '√d_k 定律',
    checkpoints: '自我測驗',
    code: '複製為程式碼',
    share: '嵌入與匯出',
  },
  answers: {
    break: '只改一處,會出什麼錯?',
    proofs: '現在哪些定律成立?',
    shapes: '每個矩陣有多大?',
    worksheet: '一列怎樣用手算出來?',
    jacobian: '一個權重怎樣隨一個分數變動?',
    compare: '兩個狀態之間變了什麼?',
    gradients: '什麼到達 W_q、W_k 和 W_v?',
    train: '它在學習,還是凍結了?',
    law: '為什麼是 √d_k 而不是別的數?',
    checkpoints: '我懂了嗎?',
    code: '用 NumPy、PyTorch、C++ 怎麼寫?',
    share: '怎樣放進網頁,或存下來?',
  },

  break: {
    introduction: '每種錯誤都會真的計算，它違反的定律會在「驗證」裡變紅。',
    mend: '改正',
    larger: '更大的分數',
    mistakes: {
      noDivisor: {
        title: '沒有除數',
        consequence: (spread, dead, rows) =>
          `離散程度為 ${spread}，大致隨 √d_k 成長；${rows} 列中有 ${dead} 列傳不回梯度。預設的種子經過挑選，能清楚呈現這一點；定律則適用於許多種子。`,
      },
      divisorTooLarge: {
        title: '用 ÷ d_k 取代 ÷ √d_k',
        consequence: (spread, entropy, maximum) =>
          `離散程度為 ${spread}：注意力趨於均勻，熵為 ${entropy}（最大 ${maximum}）。`,
      },
      oneMatrix: {
        title: 'Q、K、V 共用一個矩陣',
        consequence: (asymmetry) => `max|S − Sᵀ| = ${asymmetry}：i 給 j 的分數等於 j 給 i 的分數，詞元會看著自己。`,
      },
      noParameters: {
        title: '完全沒有參數',
        consequence: (count) => `${count} 個參數：只有原始的內積，S = Sᵀ，沒有東西可以訓練。`,
      },
      wrongAxis: {
        title: '沿著欄做 softmax',
        consequence: (sum, residual) => `每一欄的總和是 1，而這一列的總和是 ${sum}；偏差最大的一列差了 ${residual}。`,
      },
      lateMask: {
        title: '在 softmax 之後才加遮罩',
        consequence: (token, sum, moved) =>
          `「${token}」這一列只剩 ${sum} 的權重：其餘的洩漏給了未來。換掉最後一個詞元，前面的輸出最多會變動 ${moved}。`,
      },
      noMaximum: {
        title: 'softmax 不減列最大值',
        consequence: (score, token) =>
          token === ''
            ? `還沒有溢位：最大的分數是 ${score}；半精度在 11.09 以上會溢位。`
            : `「${token}」這一列溢位了：分數為 ${score} 時 exp 超出半精度（65504，即分數 11.09），而 ∞ ÷ ∞ 是 NaN。`,
      },
      dropout: {
        title: 'softmax 之後的 dropout',
        consequence: (token, dropped, keys, rate, sum) =>
          `「${token}」這一列的總和是 ${sum}：${keys} 個權重中捨棄了 ${dropped} 個，其餘除以 (1 − ${rate})。這不是錯誤：對所有抽樣取平均，總和是 1。訓練時正確，訓練之後還開著就錯了。`,
      },
      rawEmbeddings: {
        title: '混合 X 而不是 V',
        consequence: (residual, width, dV) =>
          width === dV
            ? `輸出與 A·V 相差 ${residual}；W_v 什麼也學不到。`
            : `輸出寬 ${width}，而 d_v 是 ${dV}，不可能是 A·V（相差 ${residual}）；W_v 什麼也學不到。`,
      },
    },
  },

  proofs: {
    summary: (holds, fails, open) => `剛剛算出：${holds} 條定律成立，${fails} 條不成立，${open} 條在此不下斷言。`,
    outcomes: {
      holds: { mark: '✓', text: '成立' },
      fails: { mark: '✗', text: '不成立' },
      notClaimed: { mark: '–', text: '不下斷言' },
    },
    measured: (residual, tolerance) => `相差 ${residual}，容許 ${tolerance}`,
    compared: (found, least) => `實際為 ${found}，至少應為 ${least}`,
    between: (found, least, most) => `實際為 ${found}，應在 ${least} 到 ${most} 之間`,
    least: '至少',
    missing: '差額',
    item: '列',
    found: '實際值',
    expected: '預期值',
    residual: '相差',
    laws: {
      weightsAreFinite: { claim: '每個權重都是數字', method: '每一列中有多少個不是數字。' },
      rowsSumToOne: { claim: '每一列的總和是 1', method: '每一列的總和。' },
      futureIsHidden: {
        claim: '未來的權重恰好是 0',
        method: '落在後面的鍵上的最大權重。只有使用因果遮罩的課程才如此斷言。',
      },
      pastIsUntouched: {
        claim: '最後一個詞元不改變前面的任何輸出，每個位元都相同',
        method:
          '將最後一個嵌入變號（x → −x）後重新計算。列出的是每個輸出的第一個數；相差則計入所有的數。只有使用因果遮罩的課程才如此斷言。',
      },
      windowIsKept: {
        claim: '視窗之前的權重恰好為 0',
        method: '落在視窗之前的鍵上的最大權重。只有使用滑動視窗時才如此斷言。',
      },
      paddingIsHidden: {
        claim: '填充的權重恰好為 0',
        method: '落在填充鍵上的最大權重。只有在有填充時才如此斷言。',
      },
      paddingDoesNotCount: {
        claim: '填充不改變其他任何輸出，每個位元都相同',
        method:
          '將填充的嵌入變號（x → −x）後重新計算。列出的是每個輸出的第一個數；相差則計入所有的數。只有在有填充時才如此斷言。',
      },
      orderDoesNotCount: {
        claim: '詞元倒過來，輸出也跟著倒過來',
        method: '倒過來重新計算。列出的是每個輸出的第一個數；相差則計入所有的數。沒有遮罩和填充時才如此斷言。',
        claimAcross: '鍵倒過來，輸出不變',
      },
      outputHasShape: { claim: '輸出的形狀是 (T, d_v)', method: '它的兩個長度。', items: ['T', 'd_v'] },
      valuesAreBlended: {
        claim: '輸出就是 A·V',
        method: '重新計算。列出的是每個輸出的第一個數；相差則計入所有的數。',
      },
      rolesDiffer: { claim: 'Q 與 K 不同：S 不對稱', method: '大於捨入誤差。', items: ['max|S − Sᵀ|'] },
      somethingCanLearn: { claim: '有東西可以學習', method: '訓練可以改變多少個數。', items: ['參數個數'] },
      spreadIsKept: {
        claim: '分數進入 softmax 時離散程度接近 1',
        method: '在 2 倍以內；相差以 2 的次方計。只對隨機而各自獨立的矩陣如此斷言。',
        items: ['離散程度'],
      },
      entropyIsKept: { claim: '沒有哪一列比 ÷ √d_k 時更不均勻', method: '每一列的熵，以及 ÷ √d_k 時的熵。' },
      gradientIsAlive: {
        claim: '每一列都有梯度傳回',
        method:
          '依實際計算所得的 softmax Jacobian 矩陣的範數：至少為 0.05；若均勻 softmax 的一半更小，則至少為這一半；別無選擇時為 0。',
      },
    },
  },

  shapes: {
    meaning: { T: '詞元', T_q: '查詢數', T_k: '鍵數', d_model: '嵌入', d_k: '查詢、鍵', d_v: '值' },
    batch: '加上批次',
    batchNote: '一次處理 B 個句子：除了矩陣 W，每個形狀最前面都多一個 B。轉置會交換最後兩維。',
    oneHead: (heads) =>
      `表中是 ${heads} 個頭中的一個，它在 W_q、W_k、W_v 中各有自己的欄。所有頭的輸出並排串接，h = ${heads}。`,
    joined: '串接後的輸出',
    embeddings: '嵌入',
    learned: '可學習',
    identity: '恆等',
    transposed: 'K 的轉置',
    transposes: '選擇如何轉置',
    right: {
      S: '每個查詢對每個鍵各有一個分數。',
      Z: '每個查詢各有一份混合結果。',
    },
    clash: (left, right) => `${left} 遇上 ${right}：無法相乘。`,
    features: '形狀對得上，但比較的是特徵與特徵：沒有誰在看誰。',
    coincidence: (equal) => `只是因為 ${equal} 才對得上，這不是注意力。`,
    memory: 'T × T 的代價',
    bytes: '位元組',
    cost: (table, size, huge) =>
      `S 和 A 各有 ${table} 個數：以 float32 儲存各佔 ${size}。到了 131,072 個詞元（128 k），每個頭、每一層各佔 ${huge}。融合的核心程式從不把它們存下來：它們分塊計算，只為每個查詢保留目前的最大值、總和與混合結果。`,
    window: (window, T) => `視窗為 ${window} 時，每一列只需要 ${T} 個分數中的 ${window} 個：計算量只隨 T 線性成長。`,
    padding: (padding, T) => `填充（${T} 個中的 ${padding} 個）在每個形狀裡都佔位置，但不加入任何總和。`,
  },

  worksheet: {
    digits: '所有位數',
    all: (count) => `全部 ${count} 個`,
    products: 'q × k_j',
    score: '相加：q·k_j',
    contribution: { values: '權重 × v_j', embeddings: '權重 × x_j' },
    sum: '總和',
    cleared: '已歸零',
  },

  jacobianPanel: {
    meaning: '第 j 列第 l 欄：權重 j 如何隨分數 l 變動。梯度消失的列不會傳回任何梯度給 W_q 和 W_k。',
    norm: '範數 ',
    oneKey: '只有一個鍵：別無選擇，Jacobian 矩陣為 0。',
    late: '遮罩在 softmax 之後才加：看不到的分數仍會改變留下的權重，請看它們的欄，而各欄的總和不是 0。',
    columns:
      'softmax 沿著欄進行：在同一列裡，權重只隨自己的分數變動。它還會隨同一欄中其他列的分數變動，變化率為 −a_ij·a_mj，這張圖只畫一列，無法顯示。',
    dropout: '就這一次抽樣而言：捨棄的權重不動，其餘權重的變動是原來的 1 ÷ (1 − p) 倍。',
  },

  chart: {
    numbers: '以表格列出同樣的數',
    edges: ['10%', '90%'],
  },

  gradientsPanel: {
    meaning:
      '損失 L 要求每個位置交出前一個詞元的值（見「訓練」）。圖中是 ∂L/∂S，也就是分數的梯度。W_q 和 W_k 只能經由 softmax 得到梯度，W_v 則繞過它。Jacobian 矩陣 J 的範數低於 0.05 的列，其 softmax 的梯度消失：對權重的要求很少能傳到分數。份額是就 ‖∂L/∂S‖² 而言，總和是 1。不做 ÷ √d_k 時，通往 W_q 和 W_k 的路上少了因子 1/√d_k，其餘少數幾列的要求就很強。',
    norms: {
      WqNorm: '‖∂L/∂W_q‖，經由 softmax',
      WkNorm: '‖∂L/∂W_k‖，經由 softmax',
      WvNorm: '‖∂L/∂W_v‖，繞過 softmax',
    },
    dead: (dead, rows) => `${rows} 列中有 ${dead} 列的 softmax 梯度消失。`,
    most: (token, share) => `「${token}」承擔最多：占總體的 ${share}。`,
    factor: (norm, divide) => `‖∂L/∂S‖ ${norm}，再到 q·k：${divide}`,
    columns: ['份額', '峰值'],
  },

  train: {
    task: '每個位置都要交出前一個詞元的值；損失是均方誤差。第一個詞元前面沒有詞元，所以它那一列沒有目標，對訓練沒有作用。各次訓練的句子、種子、起點和學習率都相同，只有除數不同。',
    padded: '填充所在的列同樣沒有目標。',
    otherWidth: '訓練有自己的 d_k，從 64 開始，那裡除數最要緊；上圖維持自己的。',
    play: '播放',
    pause: '暫停',
    step: '單步執行',
    reset: '重設',
    rate: '學習率',
    trained: '訓練對象',
    matrices: { queryAndKey: 'Wq 和 Wk', value: 'Wv', all: '三個都訓練' },
    third: '加上 ÷ d_k',
    steps: (taken, last) => `第 ${taken} 步，共 ${last} 步`,
    lossChart: '損失',
    stepAxis: '步數',
    loss: '均方誤差',
    losses: (first, last) => `損失 ${first} → ${last}`,
    norms: {
      WqNorm: '‖∂L/∂W_q‖',
      WkNorm: '‖∂L/∂W_k‖',
      WvNorm: '‖∂L/∂W_v‖',
      meanJacobian: 'Jacobian 矩陣的平均範數',
    },
    stopped: (run, step) => `${run}：${step} 步之後損失不再是有限的數，訓練停止。`,
    verdicts: {
      learnt: (from, to, step) =>
        `學會了：注意力找到了前一個詞元。損失 ${from} → ${to}，從第 ${step} 步起低於最初的 40%。`,
      slower: (from, to, step) => `學得比較慢。損失 ${from} → ${to}，從第 ${step} 步起才低於最初的 40%。`,
      finished: 'softmax 最後變成 one-hot，是因為已經找到各自的詞元：這是學完了，不是梯度消失。',
      settled: (from, to, gradient) => `走了一段就停下來了。損失 ${from} → ${to}，最後的梯度是 ${gradient}。`,
      slow: (from, to, gradient) => `還在學習。損失 ${from} → ${to}，梯度仍有 ${gradient}。`,
      frozen: (from, to, jacobian) =>
        `從一開始就凍結了。第一步之前 Jacobian 矩陣的平均範數是 ${jacobian}；損失 ${from} → ${to}。`,
      died: (from, to, first, most, last, step) =>
        `走過了頭，然後梯度消失。梯度一開始是 ${first}，最大 ${most}；步伐把 softmax 甩到錯誤的詞元上，從第 ${step} 步起只剩不到百分之一，最後是 ${last}。損失 ${from} → ${to}。`,
      stuck: (from, to, gradient) => `進展不大。損失 ${from} → ${to}，最後的梯度是 ${gradient}。`,
    },
    sweepMeaning: '一個學習率只能說明一種情況。掃描會用八個學習率和三種寬度各訓練 200 步，並顯示每次訓練的結果。',
    sweep: '掃描',
    cancel: '取消',
    sweepChart: '200 步之後的損失',
    finalLoss: '均方誤差',
  },

  law: {
    derivation:
      'q·k 是 d_k 個乘積 q_c·k_c 的總和。q 和 k 的分量平均值為 0，變異數約為 1，所以每個乘積的變異數約為 1，d_k 個獨立的乘積相加，變異數就是 d_k：離散程度為 √d_k。除以 √d_k，無論寬度多大都回到 1。沒有任何調校。對各個種子實測：',
    variances: {
      query: () => 'q 的一個分量的變異數',
      key: () => 'k 的一個分量的變異數',
      product: () => '一個乘積 q_c·k_c 的變異數',
      score: (width) => `q·k 的變異數，即 ${width} 個乘積的總和`,
    },
    fixed: '四個詞元的數值是固定的，沒有種子可抽。定律說的是隨機矩陣，例如句子所用的矩陣。',
    sample: '樣本',
    seeds: (count) => `${count} 個種子`,
    progress: '已計算的種子',
    cancelled: (seeds) => `在 ${seeds} 個種子之後取消；圖中顯示的就是它們。`,
    spread: 'q·k 的離散程度',
    spreadAxis: '分數的標準差：中位數，10–90%',
    theory: { none: '理論值 √d_k', sqrt: '理論值 1' },
    here: '上面的圖',
    peak: '峰值權重',
    jacobian: 'softmax 的 Jacobian 矩陣',
    saturated: '飽和的列',
    axes: {
      peak: '各列的平均值',
      jacobian: '各列範數的平均值',
      saturated: '峰值達到 0.95 的列所佔的比例',
    },
  },

  compare: {
    intro: '把目前的狀態釘選為 A，然後隨意更改。',
    pin: '釘選為 A',
    pair: '縮放／不縮放',
    swap: '對調',
    unpin: '取消釘選',
    first: 'A（已釘選）',
    second: 'B（目前）',
    difference: 'B − A',
    largest: '最大差值 ',
    same: 'A 和 B 是同一個狀態。',
    overflow: ' 有 softmax 溢位：留下的不是數字。',
    changed: (list) => `從 A 到 B：${list}。`,
    values: {
      none: '沒有遮罩',
      separate: '三個矩陣',
      keys: '沿著列做 softmax',
      stable: '減去列最大值',
      values: '混合 V',
      sentence: '一個句子',
      'four-token': '四個詞元',
    },
    mismatch: (a, b) => `A 有 ${a} 個詞元，B 有 ${b} 個：無法比較。`,
    more: (shown, all) => `${all} 個查詢中差異最大的 ${shown} 個。`,
  },

  checkpoints: {
    introduction: '先猜，再動手驗證。',
    right: '猜對了。',
    wrong: (answer) => `不對，應該是：${answer}。`,
    show: '示範',
    questionsTitle: '用自己的話回答',
    exercises: {
      peak: {
        question: 'd_k = 64 且不做 ÷ √d_k 時，醒目標示的那一列峰值權重是多少？',
        choices: ['約 0.3', '約 0.7', '約 1'],
        deed: '現在關掉 ÷ √d_k，把 d_k 拖到 64。',
        reveal: (found) => `峰值權重是 ${found}。`,
      },
      divisor: {
        question: 'd_k = 64 時，哪個除數讓分數的離散程度維持在 1 左右？',
        choices: ['√d_k', 'd_k'],
        deed: '現在把 d_k 拖到 64，試試 ÷ √d_k，再試試 ÷ d_k（在「故意弄錯」裡）。',
        reveal: (found) => `用 ÷ √d_k 時離散程度是 ${found}，用 ÷ d_k 時只有它的八分之一。`,
      },
      oneKey: {
        question: '一個查詢只看得到一個鍵時，權重是多少？',
        choices: ['小於 1', '恰好是 1', '取決於它的分數'],
        deed: '現在在因果遮罩下選取第一列。',
        reveal: (found) => `它唯一的權重是 ${found}，與分數無關：沒有可學的。`,
      },
      sharper: {
        question: '不做 ÷ √d_k 時，看得到多個鍵的一列，熵會如何？',
        choices: ['下降', '不變', '上升'],
        deed: '現在在 ÷ √d_k 開啟時選取這樣的一列，再猜一次，然後關掉 ÷ √d_k。',
        reveal: (before, now) => `它原本是 ${before}，現在是 ${now}。`,
      },
      lateMask: {
        question: '遮罩在 softmax 之後才加時，各列的總和是多少？',
        choices: ['小於 1', '恰好是 1', '大於 1'],
        deed: '現在在「故意弄錯」裡選取「在 softmax 之後才加遮罩」。',
        reveal: (found) => `剩得最少的一列只有 ${found}。`,
      },
      lastToken: {
        question: '在因果遮罩下，最後一個詞元會改變哪些輸出？',
        choices: ['都不變', '只有最後一個', '全部'],
        deed: '現在開啟因果遮罩，再猜一次，然後改掉最後一個詞。',
        reveal: (found) => `前面有 ${found} 個輸出改變了。`,
      },
      axis: {
        question: '沿著欄做 softmax 時，醒目標示的那一列總和是多少？',
        choices: ['小於 1', '恰好是 1', '大於 1'],
        deed: '現在在「故意弄錯」裡選取「沿著欄做 softmax」。',
        reveal: (found) => `它的總和是 ${found}。`,
      },
      oneMatrix: {
        question: 'Q、K、V 共用一個矩陣時，i 給 j 的分數和 j 給 i 的分數有什麼關係？',
        choices: ['相反', '相等', '無關'],
        deed: '現在在「故意弄錯」裡選取「Q、K、V 共用一個矩陣」。',
        reveal: (found) => `它們最多相差 ${found}。`,
      },
    },
    questions: {
      trained: '沒有參數的注意力為什麼無法訓練？',
      roles: '查詢在問什麼？鍵提供什麼？值帶著什麼？',
      derive: '把一列的乘積加起來：為什麼是 √d_k，而不是別的數？',
      without: '沒有除數時，還有什麼能傳到 W_q 和 W_k？',
      values: '為什麼混合的是值，而不是嵌入？',
      square: '哪個矩陣隨句子長度的平方成長，代價是什麼？',
      tooMuch: '除以 d_k 是不是也可以？',
    },
  },

  code: {
    language: '程式語言',
    copy: '複製',
    copied: '已複製',
    selected: '已選取：請用鍵盤複製',
    label: '程式',
    mistake: (title, law) => `${title}。定律：${law}。`,
    long: '太長，無法在此顯示。請整份複製。',
  },

  share: {
    tag: '標籤：放進你自己的網頁',
    frame: '內嵌框架（iframe）：用於不允許指令碼的網頁',
    link: '指向目前狀態的連結',
    files: '將圖和數值存成檔案',
    unknownFolder: (folder) =>
      `這個元件不知道自己的檔案放在哪裡。請把 ${folder} 換成存放 attention-widget.js 和 embed/ 的資料夾網址。`,
    noDownload:
      '如果沒有拿到檔案，表示外層網頁禁止下載：它的標籤需要 sandbox="allow-scripts allow-downloads"。表格和 SVG 可以從這裡複製：',
  },
};
