// Writes a request as code: for a shell, for Python with pandas, or for TypeScript. The code never contains the key.
// All values are quoted, because a market's name may contain any character.

import type { Format, Take } from './requests.ts'

export const LANGUAGES = ['curl', 'python', 'typescript'] as const
export type Language = (typeof LANGUAGES)[number]

/** `origin` is the server's address. `file` is the name of the file that curl writes. */
export type Coded = { origin: string; take: Take; format: Format; file: string }

export function codeOf(language: Language, coded: Coded): string {
  return { curl, python, typescript }[language](coded)
}

/** Returns the query parameters, with the format unless the endpoint has only one format. */
export const withFormat = ({ take, format }: Pick<Coded, 'take' | 'format'>): [string, string | number][] => [
  ...Object.entries(take.query),
  ...(take.formats.length > 1 ? [['format', format] as [string, string]] : []),
]

/** Returns the path with its query, whose characters have no special meaning in single quotes. */
export function requestPath(coded: Coded): string {
  const query = new URLSearchParams(withFormat(coded).map(([name, value]) => [name, String(value)] as [string, string]))
  return `/api/v1${coded.take.path}?${query}`
}

function curl(coded: Coded): string {
  return [
    'curl -fsS --compressed -H "Authorization: Bearer $BACKBOOK_KEY" \\',
    `  '${coded.origin}${requestPath(coded)}' \\`,
    `  -o '${coded.file}'`,
  ].join('\n')
}

type Frame = { standard?: string; other?: string; frame: string }

/** Python that reads each format. It decodes text itself, because the library would guess the encoding. Without
 *  `round_trip`, pandas changes the last digit of some numbers. */
const FRAMES: Record<Format, Frame> = {
  csv: {
    standard: 'import io',
    frame: 'pd.read_csv(io.BytesIO(answer.content), dtype={"asset_id": str}, float_precision="round_trip")',
  },
  ndjson: {
    standard: 'import json',
    frame: 'pd.json_normalize([json.loads(line) for line in answer.content.decode().split("\\n") if line])',
  },
  json: { frame: 'pd.json_normalize(answer.json()["data"])' },
  parquet: { standard: 'import io', frame: 'pd.read_parquet(io.BytesIO(answer.content))' },
  arrow: { other: 'import pyarrow as pa', frame: 'pa.ipc.open_stream(answer.content).read_pandas()' },
}

function python(coded: Coded): string {
  const { origin, take, format } = coded
  const { standard, other, frame } = FRAMES[format]
  const isBook = take.name === 'book'
  const isText = format !== 'parquet' && format !== 'arrow'
  const hasTime = isText && !isBook && take.name !== 'depth'
  const line = (text: string | undefined) => (text === undefined ? [] : [text])
  return [
    ...(isBook ? [] : line(standard)),
    'import os',
    '',
    'import pandas as pd',
    ...(isBook ? [] : line(other)),
    'import requests',
    '',
    'answer = requests.get(',
    `    ${quoted(`${origin}/api/v1${take.path}`)},`,
    '    params={',
    ...withFormat(coded).map(([name, value]) => `        ${quoted(name)}: ${JSON.stringify(value)},`),
    '    },',
    '    headers={"Authorization": f"Bearer {os.environ[\'BACKBOOK_KEY\']}"},',
    '    timeout=60,',
    ')',
    'answer.raise_for_status()',
    ...(isBook
      ? [
          'book = answer.json()',
          'bids = pd.DataFrame(book["bids"], columns=["price", "size"])',
          'asks = pd.DataFrame(book["asks"], columns=["price", "size"])',
          'print(bids, asks, sep="\\n")',
        ]
      : [
          `frame = ${frame}`,
          ...(hasTime ? ['frame["timestamp"] = pd.to_datetime(frame["timestamp"], unit="ms", utc=True)'] : []),
          'print(frame)',
        ]),
    '',
  ].join('\n')
}

/** Writes typed code with the Eden client, which uses JSON. */
function typescript({ origin, take }: Coded): string {
  const steps = take.path.split('/').filter(Boolean)
  const chain = steps.map((step) => (/^[a-z]+$/.test(step) ? `.${step}` : `['${step}']`)).join('')
  const rows = take.name === 'book' ? 'console.log(data.bids, data.asks)' : 'console.table(data.data.slice(0, 10))'
  return [
    '// bun add @elysiajs/eden elysia',
    `// curl -s ${origin}/docs/backbook.d.ts -o backbook.d.ts`,
    "import { treaty } from '@elysiajs/eden'",
    "import type { App } from './backbook'",
    '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    'const headers = { authorization: `Bearer ${process.env.BACKBOOK_KEY}` }',
    `const { api } = treaty<App>(${quoted(origin)}, { headers, parseDate: false })`,
    '',
    `const { data, error } = await api.v1${chain}.get({`,
    '  query: {',
    ...Object.entries(take.query).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`),
    '  },',
    '})',
    'if (error) throw new Error(JSON.stringify(error.value))',
    rows,
    '',
  ].join('\n')
}

const quoted = (text: string): string => JSON.stringify(text)
