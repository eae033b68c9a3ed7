// Tests what /health, the status page and the metrics say of a recorder: of one that runs, and of one that has gone.

import { describe, expect, test } from 'bun:test'
import { count, RecorderFigures } from '../../../src/record/status/recorder-figures.ts'
import { statusOf } from '../../../src/record/status/recorder-status.ts'
import type { SeenRecorder, SeenState } from '../../../src/record/status/status-file.ts'
import { ask, testApp } from '../../support/server.ts'

const NOW = 1_786_000_000_000

function seen(state: SeenState, change: (figures: RecorderFigures) => void = () => undefined): SeenRecorder {
  const figures = new RecorderFigures(NOW - 60_000)
  const { kalshi } = figures.venues
  Object.assign(kalshi, { connectionsOpen: 2, connectionsWanted: 2, markets: 7, frames: 900, lastFrameMs: NOW - 1_500 })
  count(kalshi.gaps, 'sequence_hole', 3)
  kalshi.audits.exact = 5
  count(kalshi.contradictions, 'crossed', 2)
  figures.lag.add(4_200)
  change(figures)
  const said = state === 'gone' ? 'recording' : state
  const moment = { nowMs: NOW, pid: 1, version: '0', recorderId: 'a', venues: ['kalshi'], before: null } as const
  return { state, ageMs: 400, status: statusOf(figures, { ...moment, state: said, diskFreeBytes: 9 }) }
}

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
    const { status, body } = await bodyOf('/health', seen(state))
    expect([status, body['status'], body['recorder']]).toEqual([200, 'ok', state])
  })

  test('says nothing where none ever ran', async () => {
    expect((await bodyOf('/health', null)).body).not.toHaveProperty('recorder')
  })
})

describe('the status', () => {
  test('has the recorder and each of its venues', async () => {
    const all = await components(seen('recording'))
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
    expect((await components(seen(state))).get('recorder')?.status).toBe(expected)
  })

  test('is degraded while something is wrong', async () => {
    const all = await components(seen('recording', ({ problems }) => void problems.set('a', 'a thing is wrong')))
    expect(all.get('recorder')?.status).toBe('degraded')
  })

  test.each([
    [{ connectionsOpen: 0 }, 'down'],
    [{ connectionsOpen: 1 }, 'degraded'],
    [{ marketsLeftOut: 1 }, 'degraded'],
    [{ connectionsOpen: 0, connectionsWanted: 0 }, 'ok'],
  ])('of a venue with %j is %s', async (figures, expected) => {
    const all = await components(seen('recording', ({ venues }) => void Object.assign(venues.kalshi, figures)))
    expect(all.get('recorder_kalshi')?.status).toBe(expected)
  })

  test('tells no figures of connections that a recorder had before it was gone', async () => {
    expect([...(await components(seen('gone'))).keys()]).toEqual(['recorder'])
    expect((await components(null)).size).toBe(0)
  })
})

describe('the metrics', () => {
  test('are those of the recorder and its venues', async () => {
    const { text } = await bodyOf('/metrics', seen('recording'))
    for (const line of [
      'backbook_recorder_up 1',
      'backbook_recorder_gone 0',
      'backbook_recorder_lag_seconds 4.2',
      'backbook_recorder_markets{venue="kalshi"} 7',
      'backbook_recorder_silence_seconds{venue="kalshi"} 1.5',
      'backbook_recorder_gaps_total{venue="kalshi",reason="sequence_hole"} 3',
      'backbook_recorder_audits_total{venue="kalshi",result="exact"} 5',
      'backbook_recorder_contradictions_total{venue="kalshi",reason="crossed"} 2',
      'backbook_component_status{component="recorder_kalshi",status="ok"} 1',
    ]) {
      expect(text).toContain(`${line}\n`)
    }
  })

  test('of one that is gone say so, and nothing else', async () => {
    const { text } = await bodyOf('/metrics', seen('gone'))
    expect(text).toContain('backbook_recorder_up 0\n')
    expect(text).toContain('backbook_recorder_gone 1\n')
    expect(text).not.toContain('backbook_recorder_markets')
  })

  test('of none are none', async () => {
    expect((await bodyOf('/metrics', null)).text).not.toContain('backbook_recorder')
  })
})
