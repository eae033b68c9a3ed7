// Tests how commands print the refusals of endpoints.

import { expect, test } from 'bun:test'
import { DataError } from '../../../storage/failures.ts'
import { parametersInvalid, RequestFailure } from '../../http/server/request-failure.ts'
import { EXIT } from '../terminal/program.ts'
import { inCommandWords, inFlags } from './ask-market.ts'

test.each([
  ['ticker must be x', '--market must be x'],
  ['condition_id must be x', '--market must be x'],
  ['tickers is required', '--market is required'],
  ['start_timestamp is required with end_timestamp', '--start is required with --end'],
  ['asset_id must be x', '--asset-id must be x'],
  ['price_step must be x', '--price-step must be x'],
  ['event cannot be combined with tickers', '--event cannot be combined with tickers'],
  ['Nothing is stored: see market/list for what is', 'Nothing is stored: see the command markets for what is'],
  ['the date must be x', 'the date must be x'],
])('%p is %p', (detail, text) => expect(inFlags(detail)).toBe(text))

test.each<[string, number, Error]>([
  ['--date must be x', EXIT.usage, parametersInvalid([{ field: 'date', message: 'must be x' }])],
  ['no event', EXIT.notStored, new RequestFailure('event_not_found', 'no event')],
  ['nothing', EXIT.notStored, new DataError('market_not_stored', 'nothing')],
  ['block 1: run verify to see where', EXIT.failed, new DataError('block_corrupt', 'block 1')],
  ['a fault', EXIT.failed, new RequestFailure('internal', 'a fault')],
  ['full', EXIT.failed, new DataError('disk_full', 'full')],
])('"%s" ends with %d', async (message, exitCode, error) => {
  const failed = inCommandWords(() => Promise.reject(error))
  await expect(failed).rejects.toMatchObject({ name: 'CommandError', exitCode, message })
})

test('other errors are passed on unchanged', async () => {
  const bug = new Error('a bug')
  await expect(inCommandWords(() => Promise.reject(bug))).rejects.toBe(bug)
  expect(await inCommandWords(() => 5)).toBe(5)
})
