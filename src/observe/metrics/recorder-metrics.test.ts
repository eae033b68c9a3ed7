// Tests the metrics of a recorder that runs, and of one that has gone.

import { expect, test } from 'bun:test'
import { seenRecorder } from '../../../test/support/record/seen-recorder.ts'
import { ask, testApp } from '../../../test/support/server.ts'
import type { SeenRecorder } from '../../record/status/status-file.ts'

const metricsOf = async (recorder: SeenRecorder | null) =>
  (await ask(testApp({ observe: { recorder: () => recorder } }), '/metrics', { headers: {} })).text

test('the metrics are those of the recorder and its venues', async () => {
  const text = await metricsOf(seenRecorder('recording'))
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

test('the metrics of a recorder that is gone say so, and nothing else', async () => {
  const text = await metricsOf(seenRecorder('gone'))
  expect(text).toContain('backbook_recorder_up 0\n')
  expect(text).toContain('backbook_recorder_gone 1\n')
  expect(text).not.toContain('backbook_recorder_markets')
})

test('there are no metrics without a recorder', async () => {
  expect(await metricsOf(null)).not.toContain('backbook_recorder')
})
