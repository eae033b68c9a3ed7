// Measures queries about accounts with a history: 10,000 keys and 10 million counted requests.

import { join } from 'node:path'
import { accountHistory } from '../datasets/account-history.ts'
import { drain } from '../measure/http-client.ts'
import { medianMs } from '../measure/timing.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Topic } from '../topic.ts'

const REPETITIONS = { smoke: 3, full: 50 }
const UNDER_20_MS = { atMost: 20 }
const QUESTIONS: { path: string; target?: typeof UNDER_20_MS }[] = [
  { path: '/usage?user_id=user-7', target: UNDER_20_MS },
  { path: '/keys?user_id=user-7', target: UNDER_20_MS },
  { path: '/keys?user_id=user-0', target: UNDER_20_MS },
  { path: '/stats', target: UNDER_20_MS },
  { path: '/stats/popular-markets' },
  { path: '/user/user-7/requests/count' },
  { path: '/user/user-7/requests/recent' },
]

export const topic: Topic = {
  prepare: async ({ size }) => void (await accountHistory(size)),
  async run({ size }, findings) {
    const { data, requestCount } = await accountHistory(size)
    const server = await startBackbook(data, { accountsFrom: join(data, 'accounts.sqlite') })
    for (const { path, target } of QUESTIONS) {
      const bytes = await drain(server, path)
      if (path.startsWith('/keys?user_id=user-0')) findings.answer(path, bytes)
      findings.figure(path, await medianMs(REPETITIONS[size], () => drain(server, path)), 'ms', target)
    }
    findings.answer('requests', requestCount)
    await server.stop()
  },
}
