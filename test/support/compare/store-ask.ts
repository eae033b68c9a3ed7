// An app over a store that is queried over HTTP with a key, for the comparisons with the model.

import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Answer, Ask } from '../../model/questions/model-ask.ts'
import { AUTHORIZED, fakeAccounts, fakeWorkers, testApp } from '../server.ts'
import type { AnyStore } from '../store.ts'
import { questionText } from './comparison.ts'
import { arrowRows, csvRows, type FlatRow, ndjsonRows, parquetRows } from './row-formats.ts'

/** A comparison sends more requests than a free plan allows. */
const UNLIMITED = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null }

/** Returns a function that queries the store. It throws if the status is not 200. `nowMs` is the server's clock. */
export function storeAsk({ store }: AnyStore, nowMs: number): Ask {
  const workers = { ...fakeWorkers(), ...answerInProcess(store) }
  const accounts = { ...fakeAccounts, authenticate: () => ({ ok: true, key: UNLIMITED }) as const }
  const app = testApp({ catalogue: store.catalogue, workers, accounts, nowMs: () => nowMs })
  return async (path, query) => {
    const question = questionText(`/api/v1${path}`, query)
    const response = await app.fetch(new Request(`http://localhost${question}`, { headers: AUTHORIZED }))
    if (response.status !== 200) throw new Error(`${question}\n${response.status}: ${await response.text()}`)
    const { format } = query
    if (format === 'ndjson') return { data: ndjsonRows(await response.text()) }
    if (format === 'csv') return { data: csvRows(await response.text(), TEXTS) }
    if (format === 'arrow') return tableIn(arrowRows(await response.arrayBuffer()))
    if (format === 'parquet') return tableIn(await parquetRows(await response.arrayBuffer()))
    return (await response.json()) as Answer
  }
}

/** The columns that hold text. */
const TEXTS = ['market', 'asset_id', 'ticker', 'kind', 'side', 'trade_id', 'trust']
const PREFIX = 'backbook.'

/** Returns the rows as `data`, with the metadata of the schema as fields next to it. */
function tableIn({ rows, metadata }: { rows: FlatRow[]; metadata: ReadonlyMap<string, string> }): Answer {
  const plain = (value: unknown) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value)
  const cells = (row: FlatRow) => Object.entries(row).map(([name, value]) => [name, plain(value)] as const)
  const envelope = [...metadata].map(([name, text]) => [name.replace(PREFIX, ''), jsonOrText(text)] as const)
  return { ...Object.fromEntries(envelope), data: rows.map((row) => Object.fromEntries(cells(row))) }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
