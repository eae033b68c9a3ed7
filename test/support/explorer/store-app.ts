// The API over a store, without a socket. Tests compare the explorer's data with it.

import type { Store } from '../../../storage/open-store.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import { AUTHORIZED, fakeAccounts, testApp } from '../server.ts'

export type StoreApp = {
  json<T>(path: string, query: Record<string, string>): Promise<T>
  bytes(path: string, query: Record<string, string>): Promise<Uint8Array>
}

/** Returns an app on a plan without limits. Paths are relative to `/api/v1`. Throws if an answer is an error. */
export function storeApp(store: Store): StoreApp {
  const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null }
  const stats = { threads: 1, running: 0, queued: 0, queueMax: 1, completed: 0 }
  const app = testApp({
    catalogue: store.catalogue,
    workers: { ...answerInProcess(store), stats: () => stats },
    accounts: { ...fakeAccounts, authenticate: () => ({ ok: true, key }) },
  })
  const ask = async (path: string, query: Record<string, string>): Promise<Response> => {
    const url = `http://localhost/api/v1${path}?${new URLSearchParams(query)}`
    const response = await app.fetch(new Request(url, { headers: AUTHORIZED }))
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    return response
  }
  return {
    json: async (path, query) => (await ask(path, query)).json() as Promise<never>,
    bytes: async (path, query) => new Uint8Array(await (await ask(path, query)).arrayBuffer()),
  }
}
