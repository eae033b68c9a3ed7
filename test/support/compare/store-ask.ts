// An app over a store, asked over HTTP with a key, for the comparisons with the model.

import { tableFromIPC } from '@uwdata/flechette'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Answer, Ask } from '../../model/questions/model-ask.ts'
import { AUTHORIZED, fakeWorkers, testApp } from '../server.ts'
import type { AnyStore } from '../store.ts'
import { questionText } from './comparison.ts'

/** Throws where the answer is not 200. `nowMs` is the server's clock. */
export function storeAsk({ store }: AnyStore, nowMs: number): Ask {
  const workers = { ...fakeWorkers(), ...answerInProcess(store) }
  const app = testApp({ catalogue: store.catalogue, workers, nowMs: () => nowMs })
  return async (path, query) => {
    const question = questionText(`/api/v1${path}`, query)
    const response = await app.fetch(new Request(`http://localhost${question}`, { headers: AUTHORIZED }))
    if (response.status !== 200) throw new Error(`${question}\n${response.status}: ${await response.text()}`)
    if (query['format'] === 'ndjson') return { data: linesIn(await response.text()) }
    if (query['format'] === 'arrow') return tableIn(await response.bytes())
    return (await response.json()) as Answer
  }
}

const linesIn = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The rows under `data`, and the metadata of the schema beside it. */
function tableIn(bytes: Uint8Array): Answer {
  const table = tableFromIPC(bytes)
  const metadata = [...(table.schema.metadata ?? [])].map(([key, text]) => [key, JSON.parse(text)] as const)
  const rows = table.toArray().map((row) => Object.entries(row as Record<string, unknown>))
  const plain = (value: unknown) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value)
  return {
    ...Object.fromEntries(metadata),
    data: rows.map((cells) => Object.fromEntries(cells.map(([name, value]) => [name, plain(value)]))),
  }
}
