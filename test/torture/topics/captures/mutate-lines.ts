// Changes that can happen to the lines of a capture as text. Lines are joined, doubled or reordered. Their JSON gets
// other numbers, texts, keys and types, and may become invalid.

import type { Random } from '../../../../workers/synthetic/random.ts'

type Lines = string[]
type Mutation = (lines: Lines, random: Random) => void

const NUMBERS = [
  ...['0', '-0', '-1', '00', '007', '1e400', '-1e400', '1E5', '1e-7', '0.00000000001', '0.10', '1.', '.5', '+1', 'NaN'],
  ...['-Infinity', '123456789012345678901234567890', '9007199254740993', '4294967296', '0x10', '1_000', '١', '1e99999'],
  ...[
    '0.1234567',
    '0.12345678901234567890123',
    '1.0000',
    '99999999999999.999999',
    '2147483648',
    '-9223372036854775809',
  ],
]
const TEXTS = [
  ...['""', '"0"', '"-0"', '".5"', '"5."', '"00.5"', '"+0.5"', '"0.50 "', '"1e-2"', '"NaN"', '"0,5"', '"0.5\\u0000"'],
  ...[
    '"\\u0000"',
    '"\\ud83d"',
    '"\\ude00\\ud83d"',
    '"\\u00e9"',
    '"é漢🙂"',
    '"\uFEFF"',
    '"\uFEFFa"',
    '"\u2028"',
    '"\\/"',
  ],
  ...['"0.0000001"', '"0.515"', '"1"', '"1.0001"', '"-0.01"', '"99999999999999999999.5"', '"0.5000000"', '"__proto__"'],
  ...['"2026-08-10T12:00:00Z"', '"2026-02-30T12:00:00Z"', '"2026-08-10T24:00:00Z"', '"2026-08-10 12:00:00.5+02:00"'],
  `"${'7'.repeat(78)}"`,
  `"${'9'.repeat(400)}"`,
  `"0x${'AB'.repeat(32)}"`,
  `"${'x'.repeat(3_000)}"`,
]
const OTHERS = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"a":{}}',
  '[1,"a",null]',
  '{"__proto__":{"a":1}}',
]
const KEYS = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '0', 'a.b', 'a[]', '\uFEFFk', '\\u0001S0\\u0001'],
  ...[
    'type',
    'event_type',
    'market',
    'markets',
    'msg',
    'sid',
    'seq',
    'side',
    'ts_ms',
    'ts',
    'timestamp',
    'event',
    'data',
  ],
  ...['ticker', 'market_ticker', 'asset_id', 'price', 'size', 'price_changes', 'changes', 'bids', 'venue', 'recv_ms'],
]
const TIMES = [
  '1e12',
  '999',
  '1786363200',
  '1786363200000',
  '1786363200000.5',
  '"1786363200000"',
  '1786363200000000',
  '0',
]

const NUMBER = /(?<=[:[,])-?\d[\d.eE+-]*(?=[,\]}])/g
const TEXT = /"(?:[^"\\]|\\.)*"(?=[,\]}])/g
const KEY = /"(?:[^"\\]|\\.)*"(?=:)/g

const MUTATIONS: Mutation[] = [
  // Changes of whole lines.
  (lines, random) => lines.splice(random.below(lines.length), 1),
  (lines, random) => insert(lines, random, random.pick(lines)),
  (lines, random) =>
    insert(lines, random, random.pick(['', ' ', '\t', '\r', 'null', '7', '"x"', '[]', '{}', 'PING', '"pong"'])),
  (lines, random) => insert(lines, random, `\uFEFF${random.pick(lines)}`),
  (lines, random) => {
    const [from, to] = [random.below(lines.length), random.below(lines.length)]
    lines.splice(to, 0, ...lines.splice(from, random.between(1, 20)))
  },
  (lines, random) => {
    const at = random.below(lines.length)
    lines.splice(at, 2, lines.slice(at, at + 2).join(random.pick(['', ' ', ',', '\u0000', '\r'])))
  },
  (lines, random) => {
    const at = random.below(lines.length)
    const some = lines.splice(at, random.between(1, 4))
    insert(
      lines,
      random,
      `[${some.join(random.pick([',', ', ', ',\t']))}${random.pick(['', '', '', ',7', ',[]', ',null'])}]`,
    )
  },
  // Changes within one line.
  onLine((line, random) => line.slice(0, random.below(line.length))),
  onLine((line, random) => line.slice(random.below(line.length))),
  onLine((line, random) => line + random.pick([' ', '}', ']', ',', '\u0000', '#', '\t', '\u00a0', line])),
  onLine((line, random) => `${random.pick([' ', '\t', '\uFEFF', '\u0000', ',', '\u00a0'])}${line}`),
  onLine((line, random) => replaceOne(line, NUMBER, random, () => random.pick(NUMBERS))),
  onLine((line, random) => replaceOne(line, NUMBER, random, () => random.pick(TIMES))),
  onLine((line, random) => replaceOne(line, NUMBER, random, (number) => `"${number}"`)),
  onLine((line, random) => replaceOne(line, TEXT, random, () => random.pick(TEXTS))),
  onLine((line, random) => replaceOne(line, TEXT, random, () => random.pick(NUMBERS))),
  onLine((line, random) => replaceOne(line, TEXT, random, (text) => text.slice(1, -1))),
  onLine((line, random) => replaceOne(line, TEXT, random, (text) => escaped(text, random))),
  onLine((line, random) => replaceOne(line, random.pick([TEXT, NUMBER]), random, () => random.pick(OTHERS))),
  onLine((line, random) => replaceOne(line, KEY, random, () => `"${random.pick(KEYS)}"`)),
  onLine((line, random) => replaceOne(line, KEY, random, (key) => escaped(key, random))),
  onLine((line, random) => replaceOne(line, KEY, random, (key) => `${key} \t`)),
  onLine((line, random) =>
    replaceOne(line, KEY, random, (key) => `${key}:${random.pick([...OTHERS, ...TEXTS])},${key}`),
  ),
  onLine((line, random) =>
    replaceOne(line, KEY, random, (key) => `"${random.pick(KEYS)}":${random.pick(TEXTS)},${key}`),
  ),
  onLine((line, random) => replaceOne(line, TEXT, random, () => nested(random.pick([3, 60, 2_000])))),
  onLine((line, random) => replaceOne(line, /\[(?=[[{])/g, random, () => `[${random.pick(OTHERS)},`)),
  onLine((line, random) => replaceOne(line, /\[[^[\]]*\]/g, random, (list) => repeated(list, random))),
  onLine((line, random) =>
    replaceOne(line, /[{}[\]",:]/g, random, () => random.pick(['', '{', '}', '[', ']', '"', ',', ':'])),
  ),
  onLine((line, random) => `{"recv_ms":${random.pick([...TIMES, ...NUMBERS, ...OTHERS])},"event":${line}}`),
  onLine((line) => JSON.stringify({ data: line })),
]

/** Changes some of the lines, in place. */
export function mutateLines(lines: Lines, random: Random): void {
  const count = random.pick([0, 1, 3, 10, 40])
  for (let i = 0; i < count && lines.length > 0; i++) random.pick(MUTATIONS)(lines, random)
}

function onLine(change: (line: string, random: Random) => string): Mutation {
  return (lines, random) => {
    const at = random.below(lines.length)
    // Does not change a long line: repeated changes could make it too long for this test.
    if (lines[at]!.length < 100_000) lines[at] = change(lines[at]!, random)
  }
}

const insert = (lines: Lines, random: Random, line: string) => lines.splice(random.below(lines.length + 1), 0, line)

function replaceOne(line: string, pattern: RegExp, random: Random, change: (found: string) => string): string {
  const found = [...line.matchAll(pattern)]
  if (found.length === 0) return line
  const { index, 0: text } = random.pick(found)
  return line.slice(0, index) + change(text) + line.slice(index + text.length)
}

/** Returns the text with one character written as an escape. */
function escaped(text: string, random: Random): string {
  if (text.length < 3) return text
  const at = random.between(1, text.length - 2)
  if (text.includes('\\')) return text
  return `${text.slice(0, at)}\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}${text.slice(at + 1)}`
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

function repeated(list: string, random: Random): string {
  const inner = list.slice(1, -1)
  return inner === '' ? list : `[${Array.from({ length: random.pick([2, 3, 70, 600]) }, () => inner).join(',')}]`
}
