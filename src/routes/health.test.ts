// Tests /health, and its answer if the store cannot be read.

import { expect, test } from 'bun:test'
import { ask, fakeCatalogue, testApp } from '../../test/support/server.ts'

test.each(['/health', '/api/v1/health'])('%s returns version and uptime', async (path) => {
  let [nowMs, elapsedMs] = [Date.parse('2026-11-21'), 500]
  const app = testApp({ nowMs: () => nowMs, elapsedMs: () => elapsedMs })
  // A changed clock does not count as elapsed time.
  nowMs -= 365 * 86_400_000
  elapsedMs += 61_900
  const { status, body } = await ask(app, path, { headers: {} })
  expect([status, body]).toEqual([200, { status: 'ok', version: expect.any(String), uptime_seconds: 61 }])
})

test('a store that cannot be read is 503, and only the log has the reason', async () => {
  const logged: string[] = []
  const catalogue = fakeCatalogue({
    lastRecordMs: () => {
      throw new Error('MDB_CORRUPTED')
    },
  })
  const log = (_id: string, _request: Request, error: unknown) => void logged.push(String((error as Error).cause))
  const { body, text } = await ask(testApp({ catalogue, log }), '/health')
  expect(body).toMatchObject({ status: 503, code: 'store_unavailable' })
  expect(text).not.toContain('MDB')
  expect(logged).toEqual(['Error: MDB_CORRUPTED'])
})
