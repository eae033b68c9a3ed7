// GET /health: whether this process can answer. No key, no details.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'

type Dependencies = { catalogue: Pick<Catalogue, 'lastRecordMs'>; version: string; uptimeSeconds: () => number }

export const healthRoutes = ({ catalogue, version, uptimeSeconds }: Dependencies) =>
  new Elysia().get(
    '/health',
    () => {
      assertReadable(catalogue)
      return { status: 'ok', version, uptime_seconds: uptimeSeconds() }
    },
    { detail: { summary: 'Whether the server can answer', tags: ['service'] } },
  )

/** Throws DataError('store_unavailable'): what lies below it is for the log. */
function assertReadable(catalogue: Pick<Catalogue, 'lastRecordMs'>): void {
  try {
    catalogue.lastRecordMs('polymarket')
  } catch (cause) {
    throw Object.assign(new DataError('store_unavailable', 'The store cannot be read'), { cause })
  }
}
