// GET /health: whether this process can answer. Needs no key and returns no details.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { VENUES } from '../../storage/venue.ts'
import { healthAnswer } from '../answers/server-state.ts'
import { operation } from '../openapi/operation.ts'
import type { SeenRecorder } from '../record/status/status-file.ts'

type Dependencies = {
  catalogue: Pick<Catalogue, 'lastRecordMs'>
  version: string
  uptimeSeconds: () => number
  recorder?: () => SeenRecorder | null
}

const about = operation({
  id: 'health',
  summary: 'Whether the server can answer',
  tag: 'service',
  access: 'public',
  answer: () => ({ description: 'The server can answer', schema: healthAnswer }),
  failures: ['store_unavailable'],
})

export const healthRoutes = ({ catalogue, version, uptimeSeconds, recorder = () => null }: Dependencies) =>
  new Elysia().get(
    '/health',
    async () => {
      await assertReadable(catalogue)
      const state = recorder()?.state
      return { status: 'ok', version, uptime_seconds: uptimeSeconds(), ...(state && { recorder: state }) }
    },
    { detail: about },
  )

/** Rejects with DataError('store_unavailable') if the store cannot be read. The error has a `cause` for the log. */
export async function assertReadable(catalogue: Pick<Catalogue, 'lastRecordMs'>): Promise<void> {
  try {
    await catalogue.lastRecordMs(VENUES[0]!)
  } catch (cause) {
    throw Object.assign(new DataError('store_unavailable', 'The store cannot be read'), { cause })
  }
}
