// An app over a store, asked over HTTP with a key, for the comparisons with the model.

import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Ask } from '../../model/questions/model-ask.ts'
import { ask, fakeWorkers, testApp } from '../server.ts'
import type { AnyStore } from '../store.ts'
import { questionText } from './comparison.ts'

/** Throws where the answer is not 200. `nowMs` is the server's clock. */
export function storeAsk({ store }: AnyStore, nowMs: number): Ask {
  const workers = { ...fakeWorkers(), ...answerInProcess(store) }
  const app = testApp({ catalogue: store.catalogue, workers, nowMs: () => nowMs })
  return async (path, query) => {
    const question = questionText(`/api/v1${path}`, query)
    const { status, body, text } = await ask(app, question)
    if (status !== 200) throw new Error(`${question}\n${status}: ${text}`)
    return body as Record<string, unknown>
  }
}
