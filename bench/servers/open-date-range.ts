// Serves the program's own app on a data folder, without a key check: `bun open-date-range.ts FOLDER`.

import { Elysia } from 'elysia'
import { openAccounts } from '../../src/accounts/open-accounts.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { listen } from '../../src/http/server/listen.ts'
import { inFolder, openStore } from '../../storage/open-store.ts'
import { createWorkers } from '../../workers/pool/pool.ts'

const folder = process.argv[2]!
const { catalogue } = openStore(folder)
const app = createApp({
  catalogue,
  workers: createWorkers({ place: inFolder(folder), threads: 2, queueMax: 1 }),
  accounts: await openAccounts(`sqlite://${folder}/open.sqlite`),
  config: readConfig({}, 2),
  log: (_, __, error) => console.error(error),
  requireKey: { group: () => new Elysia(), around: (fetch) => fetch, charge: () => undefined, keyOf: () => null },
})
process.stdout.write(`listening on ${listen(app.fetch, { host: '127.0.0.1', port: 0 }).url}\n`)
