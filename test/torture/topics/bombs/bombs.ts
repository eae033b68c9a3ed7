// Captures that are made to exhaust the process that loads them. Each is small or regular, but becomes large when it is
// read. A valid line comes before it and after it, and both must be loaded.

import { closeSync, openSync, writeSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { CONDITION, NOON, TICKER } from '../../../model/lines.ts'

export type Bomb = {
  name: string
  ending: string
  /** Writes the capture. `scale` is 1 at full size, and less in the tests. */
  write(file: number, scale: number): void
  /** Number of stored records and of rejected messages, and the reason. If the file has records of many markets, the
   *  number of stored records grows with the scale. */
  records: number | ((scale: number) => number)
  rejected: number
  reason?: RegExp
  error?: RegExp
  /** Maximum memory at any scale, including the 70 MB of an idle process. */
  peakMbMax: number
}

const MB = 1 << 20

export const delta = (n: number, extra = '', ticker = TICKER) =>
  `{"type":"orderbook_delta","sid":1,"seq":${n},"msg":{"market_ticker":"${ticker}","price_dollars":"0.5000","delta_fp":"1.00","side":"yes","ts_ms":${NOON + n}${extra}}}`

type Put = (text: string) => void
const put =
  (file: number): Put =>
  (text) =>
    void writeSync(file, text)

/** Writes plain text between two lines. Writes it in parts, because it may be larger than a string can be. */
const plain = (write: (put: Put, scale: number) => void) => (file: number, scale: number) => {
  writeSync(file, `${delta(1)}\n`)
  write(put(file), scale)
  writeSync(file, `\n${delta(2)}\n`)
}

/** Writes megabytes of one byte, in members of 16 MB. */
const compressed =
  (compress: (bytes: Uint8Array) => Uint8Array, byte: string, megabytes: number) => (file: number, scale: number) => {
    const member = compress(Buffer.alloc(16 * MB, byte))
    writeSync(file, compress(Buffer.from(`${delta(1)}\n`)))
    for (let i = 0; i < (megabytes * scale) / 16; i++) writeSync(file, member)
    writeSync(file, compress(Buffer.from(`\n${delta(2)}\n`)))
  }

const many = (put: Put, count: number, item: (i: number) => string) => {
  for (let i = 0; i < count; i += 1_000) {
    const items = Array.from({ length: Math.min(1_000, count - i) }, (_, j) => item(i + j))
    put((i > 0 ? ',' : '') + items.join())
  }
}

const book = (put: Put, levels: () => void) => {
  put(`{"event_type":"book","market":"${CONDITION}","asset_id":"A","timestamp":"${NOON}","bids":[`)
  levels()
  put('],"asks":[]}')
}

// A frame with one raw block. Its header requests a window of 2^41 bytes.
const HUGE_WINDOW = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 31 << 3, (1 << 3) | 1, 0, 0, 0x0a])

const TOO_LONG = /longer than \d+ bytes/
const TOO_DEEP = /nests deeper than 512/
const ONE_LINE = { records: 2, rejected: 1 }

export const BOMBS: readonly Bomb[] = [
  {
    name: 'gzip: 10 GB of zeros in one line',
    ending: 'gz',
    write: compressed(gzipSync, '\0', 10_240),
    ...ONE_LINE,
    reason: TOO_LONG,
    peakMbMax: 450,
  },
  {
    name: 'gzip: 10 GB of spaces in one line',
    ending: 'gz',
    write: compressed(gzipSync, ' ', 10_240),
    ...ONE_LINE,
    reason: TOO_LONG,
    peakMbMax: 450,
  },
  {
    name: 'zstd: 10 GB of zeros in one line',
    ending: 'zst',
    write: compressed(zstdCompressSync, '\0', 10_240),
    ...ONE_LINE,
    reason: TOO_LONG,
    peakMbMax: 450,
  },
  {
    name: 'gzip: 10 GB of line ends',
    ending: 'gz',
    write: compressed(gzipSync, '\n', 10_240),
    records: 2,
    rejected: 0,
    peakMbMax: 350,
  },
  {
    name: 'a line of 1 GB',
    ending: 'ndjson',
    write: plain((put, scale) => {
      put('{"a":"')
      for (let i = 0; i < Math.max(80, 1_024 * scale); i++) put('x'.repeat(MB))
      put('"}')
    }),
    ...ONE_LINE,
    reason: TOO_LONG,
    peakMbMax: 450,
  },
  {
    name: 'a snapshot of a million levels',
    ending: 'ndjson',
    write: plain((put, scale) =>
      book(put, () => many(put, 1e6 * scale, (i) => `{"price":"${((i % 9_999) / 1e4).toFixed(4)}","size":"${i}"}`)),
    ),
    records: 3,
    rejected: 0,
    peakMbMax: 1_600,
  },
  {
    name: 'a snapshot of a million levels between the rungs',
    ending: 'ndjson',
    write: plain((put, scale) =>
      book(put, () => many(put, 1e6 * scale, (i) => `{"price":"${(i / 1e6).toFixed(6)}","size":"${i}"}`)),
    ),
    records: 3,
    rejected: 0,
    peakMbMax: 1_600,
  },
  {
    name: 'a message of a million keys',
    ending: 'ndjson',
    write: plain((put, scale) => {
      put(delta(3).slice(0, -2).concat(','))
      many(put, 1e6 * scale, (i) => `"k${i}":${i}`)
      put('}}')
    }),
    records: 3,
    rejected: 0,
    peakMbMax: 1_000,
  },
  {
    name: 'a million markets that take turns',
    ending: 'ndjson',
    write: plain((put, scale) => {
      for (let i = 0; i < 2e6 * scale; i++) put(`${i > 0 ? '\n' : ''}${delta(i, '', `KXMANY-${i % (1e6 * scale)}`)}`)
    }),
    records: (scale) => 2 + 2e6 * scale,
    rejected: 0,
    peakMbMax: 450,
  },
  {
    name: 'a price change of a million books',
    ending: 'ndjson',
    write: plain((put, scale) => {
      put(`{"event_type":"price_change","market":"${CONDITION}","timestamp":"${NOON}","price_changes":[`)
      many(put, 1e6 * scale, (i) => `{"asset_id":"${i}","price":"0.5","size":"1","side":"BUY"}`)
      put(']}')
    }),
    ...ONE_LINE,
    reason: /(?:at most|more than) 256 books/,
    peakMbMax: 2_500,
  },
  {
    name: 'a list nested a million levels',
    ending: 'ndjson',
    write: plain((put, scale) => put(delta(3, `,"a":${'['.repeat(1e6 * scale)}${']'.repeat(1e6 * scale)}`))),
    ...ONE_LINE,
    reason: TOO_DEEP,
    peakMbMax: 350,
  },
  {
    name: 'a document nested a million levels',
    ending: 'json',
    write: (file, scale) => writeSync(file, `${'{"a":'.repeat(1e6 * scale)}1${'}'.repeat(1e6 * scale)}`),
    records: 0,
    rejected: 1,
    reason: TOO_DEEP,
    peakMbMax: 350,
  },
  {
    name: 'a list of 30 million numbers',
    ending: 'ndjson',
    write: plain((put, scale) => {
      put(delta(3, ',"a":[1').slice(0, -2))
      for (let i = 0; i < Math.max(9, 30 * scale); i++) put(',1'.repeat(1e6))
      put(']}}')
    }),
    ...ONE_LINE,
    reason: /more than 8000000 values/,
    peakMbMax: 2_000,
  },
  {
    name: 'an asset id of 1 MB',
    ending: 'ndjson',
    write: plain((put) =>
      put(
        `{"event_type":"last_trade_price","market":"${CONDITION}","timestamp":"${NOON}","asset_id":"${'7'.repeat(MB)}"}`,
      ),
    ),
    records: 3,
    rejected: 0,
    peakMbMax: 250,
  },
  {
    name: 'a ticker longer than a key of the store',
    ending: 'ndjson',
    write: plain((put) => put(delta(3, '', 'K'.repeat(2_000)))),
    ...ONE_LINE,
    reason: /^(?:not a Kalshi ticker: |the market must be an id of kalshi, got ).{1,120}$/,
    peakMbMax: 200,
  },
  {
    name: 'a slug longer than a key of the store',
    ending: 'ndjson',
    write: plain((put) => put(`{"slug":"${'s'.repeat(3_000)}","question":"q","conditionId":"${CONDITION}"}`)),
    ...ONE_LINE,
    reason: /a slug is longer than 900 bytes/,
    peakMbMax: 200,
  },
  {
    name: 'a zstd frame that asks for a window of two terabytes',
    ending: 'zst',
    write: (file) => {
      writeSync(file, zstdCompressSync(`${delta(1)}\n`))
      writeSync(file, HUGE_WINDOW)
    },
    records: 1,
    rejected: 0,
    error: /Cannot read .* beyond line 1/,
    peakMbMax: 200,
  },
]

export function writeBomb(bomb: Bomb, path: string, scale: number): void {
  const file = openSync(path, 'w')
  try {
    bomb.write(file, scale)
  } finally {
    closeSync(file)
  }
}
