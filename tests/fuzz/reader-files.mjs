// Small files of every format that the readers know, for the fuzz target to change.

import { deflateRawSync } from 'node:zlib';
import { toNpz, toSafetensors } from '../../web/readers/readers.js';
import { crc32 } from '../../web/readers/zip.js';
import { doubles, floats, npyFile, safetensorsFile } from '../web/readers/support.mjs';

/** @typedef {{name: string, content: Uint8Array | string}} SeedFile */

/**
 * An archive of deflated members.
 *
 * @param {Record<string, Uint8Array>} members
 */
function deflatedArchive(members) {
  const files = /** @type {Buffer[]} */ ([]);
  const directory = /** @type {Buffer[]} */ ([]);
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const packed = deflateRawSync(content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const start = Buffer.alloc(4);
    start.writeUInt32LE(offset);
    files.push(Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), shared, Buffer.alloc(10), start, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(Object.keys(members).length, 8);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, list, end]);
}

/** @returns {SeedFile[]} */
export function seedFiles() {
  const W = { data: [1.5, -2, 3e-7, -0, 5, 6], shape: [2, 3] };
  const bq = { data: [0.5, 7, -1], shape: [3] };
  const header = {
    __metadata__: { format: 'pt' },
    'h.0.attn.c_attn.weight': { dtype: 'F32', shape: [2, 6], data_offsets: [0, 48] },
    'h.0.attn.c_attn.bias': { dtype: 'BF16', shape: [6], data_offsets: [48, 60] },
    'wte.weight': { dtype: 'F16', shape: [4, 2], data_offsets: [60, 76] },
    mask: { dtype: 'BOOL', shape: [1, 1, 2, 2], data_offsets: [76, 80] },
    small: { dtype: 'F8_E4M3', shape: [2], data_offsets: [80, 82] },
  };
  const members = {
    'Wq.npy': npyFile("'<f8'", '(2, 3)', doubles(1, 2, 3, 4, 5, 6)),
    'Wk.npy': npyFile("'>i2'", '(3, 2)', Buffer.from('00010002000300040005fff6', 'hex')),
    'notes.txt': Buffer.from('by hand'),
  };
  /** @type {[string, (Uint8Array | string)[]][]} */
  const files = [
    [
      'w.npy',
      [
        npyFile("'<f8'", '(2, 3)', doubles(1, 2, 3, 4, 5, 6)),
        npyFile("'>f4'", '(2, 2)', Buffer.from('3f800000400000004040000040800000', 'hex'), {
          version: 2,
          byColumns: true,
        }),
        npyFile("'<i8'", '(2,)', Buffer.from(BigInt64Array.of(-5n, 2n ** 53n).buffer), { version: 3 }),
        npyFile("[('a', '<f4')]", '(1,)', floats(1)),
      ],
    ],
    ['w.npz', [toNpz({ Wq: W, bq }), deflatedArchive(members)]],
    ['w.safetensors', [toSafetensors({ Wq: W, bq }, { by: 'hand' }), safetensorsFile(header, Buffer.alloc(82, 60))]],
    [
      'w.csv',
      [
        '1,2.5\n-3e-7,4\n',
        '\ufeff0,5;1,25\r\n-2;3e-1\r\n',
        ',x,"y"\nthe,1,2\n"a ""cat""",3,4\n',
        '1.234,5;2\n',
        '# made by hand\n1 2\n3 4\n',
      ],
    ],
    ['w.tsv', ['1\t2\n3\t4\n', 'sep=;\n1;2\n']],
    [
      'w.json',
      [
        '[[1, -0.5e3], [3, 4]]',
        '{"data": [1, 2], "shape": [2, 1]}',
        '{"dK": 2, "Wq": [[1, 2]], "tokens": ["a\\u00e9"], "bq": [5]}',
      ],
    ],
    [
      'w',
      [
        '[[ 0.1 -2.  ]\n [ 3.   4. ]]',
        'array([[1, 2],\n       [3, 4]], dtype=int8)',
        'tensor([[True, False]])',
        '[[[1, 2]], [[3, 4]]]',
      ],
    ],
  ];
  return files.flatMap(([name, contents]) => contents.map((content) => ({ name, content })));
}
