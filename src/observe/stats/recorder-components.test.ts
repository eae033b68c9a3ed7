// Tests what /health and the status page report about a recorder that runs, and about one that has gone.

import { describe, expect, test } from 'bun:test'
import { seenRecorder } from '../../../test/support/record/seen-recorder.ts'
import { ask, testApp } from '../../../test/support/server.ts'
import type { SeenRecorder } from '../../record/status/status-file.ts'

async function bodyOf(path: string, recorder: SeenRecorder | null) {
  const answer = await ask(testApp({ observe: { recorder: () => recorder } }), path, { headers: {} })
  return { ...answer, body: answer.body as Record<string, unknown> }
}

const components = async (recorder: SeenRecorder | null) => {
  const { body } = await bodyOf('/monitoring/status', recorder)
  const all = body['components'] as { name: string; status: string; figures: Record<string, number | null> }[]
  return new Map(all.filter(({ name }) => name.startsWith('recorder')).map((each) => [each.name, each]))
}

describe('/health', () => {
  test.each(['recording', 'disk_full', 'stopped', 'gone'] as const)('says that the recorder is %s', async (state) => {
    const { status, body } = await bodyOf('/health', seenRecorder(state))
    expect([status, body['status'], body['recorder']]).toEqual([200, 'ok', state])
  })

  test('omits the recorder if none ever ran', async () => {
    expect((await bodyOf('/health', null)).body).not.toHaveProperty('recorder')
  })
})

describe('the status', () => {
  test('has the recorder and each of its venues', async () => {
    const all = await components(seenRecorder('recording'))
    expect([...all].map(([name, { status }]) => [name, status])).toEqual([
      ['recorder', 'ok'],
      ['recorder_kalshi', 'ok'],
    ])
    expect(all.get('recorder')?.figures).toMatchObject({ lag_ms: 4_200, disk_free_bytes: 9, status_age_seconds: 0.4 })
    expect(all.get('recorder_kalshi')?.figures).toMatchObject({ markets: 7, gaps: 3, silence_ms: 1_500 })
  })

  test.each([
    ['disk_full', 'degraded'],
    ['catching_up', 'degraded'],
    ['stopped', 'idle'],
    ['gone', 'down'],
  ] as const)('of a recorder that is %s is %s', async (state, expected) => {
    expect((await components(seenRecorder(state))).get('recorder')?.status).toBe(expected)
  })

  test('is degraded while something is wrong', async () => {
    const all = await components(
      seenRecorder('recording', ({ problems }) => void problems.set('a', 'a thing is wrong')),
    )
    expect(all.get('recorder')?.status).toBe('degraded')
  })

  test.each([
    [{ connectionsOpen: 0 }, 'down'],
    [{ connectionsOpen: 1 }, 'degraded'],
    [{ marketsLeftOut: 1 }, 'degraded'],
    [{ connectionsOpen: 0, connectionsWanted: 0 }, 'ok'],
  ])('of a venue with %j is %s', async (figures, expected) => {
    const all = await components(seenRecorder('recording', ({ venues }) => void Object.assign(venues.kalshi, figures)))
    expect(all.get('recorder_kalshi')?.status).toBe(expected)
  })

  test('has no connection metrics of a recorder that is gone', async () => {
    expect([...(await components(seenRecorder('gone'))).keys()]).toEqual(['recorder'])
    expect((await components(null)).size).toBe(0)
  })
})
