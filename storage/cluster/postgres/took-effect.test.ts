// Goal: after a commit whose answer never came it is known whether it took effect, and one that did not never will.

import { describe, expect, test } from 'bun:test'
import { change, commit, day, headOf, rowOf, segmentOf } from '../../../test/storage/cluster/database/made-rows.ts'
import { makeEmptyPostgres } from '../../../test/support/accounts.ts'
import { DataError } from '../../failures.ts'
import { SegmentSwept } from '../database/cluster-database.ts'
import { Postgres } from './connection.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { tookEffect } from './took-effect.ts'

const BROKEN = new DataError('store_unavailable', 'The connection broke')

const made = (key: string) => commit(key, change('A', 0, day('2026-07-20', { head: headOf(5), put: [1] })))

const suite = () => {
  test('what is named took effect; what is not is refused from then on', async () => {
    await using empty = (await makeEmptyPostgres())!
    const settings = { url: empty.url, schema: 'backbook', timeoutMs: 10_000 }
    const rows = await openPostgresDatabase(settings, { mayWrite: true })
    const postgres = new Postgres(settings)
    try {
      const late = made('late')
      expect(await tookEffect(postgres, late.segment!.key, new Error('another failure'))).toBe(false)
      expect(await rows.unknown([segmentOf('late').key])).toEqual([segmentOf('late').key])
      for (let times = 0; times < 2; times++) expect(await tookEffect(postgres, late.segment!.key, BROKEN)).toBe(false)
      expect(await rows.commitRows(late).catch((error) => error)).toBeInstanceOf(SegmentSwept)
      expect(await rowOf(rows, 'A')).toBeUndefined()
      expect(await rows.commitRows(made('in time'))).toEqual([])
      expect(await tookEffect(postgres, segmentOf('in time').key, BROKEN)).toBe(true)
      expect((await rowOf(rows, 'A'))!.revision).toBe(1)
    } finally {
      await postgres.close()
      await rows.close()
    }
  })
}

if (process.env['POSTGRES_TEST_URL'] !== undefined) describe('a commit without an answer', suite)
else describe.skip('a commit without an answer: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)
