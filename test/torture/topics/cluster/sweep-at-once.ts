// A sweep with a shorter grace period than the program allows.

import { S3Objects } from '../../../../storage/cluster/objects/s3-objects.ts'
import { openPostgresRows } from '../../../../storage/cluster/postgres/postgres-rows.ts'
import type { ClusterSettings } from '../../../../storage/cluster/settings/cluster-settings.ts'
import { GRACE_MS, sweep } from '../../../../storage/cluster/upkeep/sweep.ts'
import { altered } from '../../../support/cluster/altered.ts'

/** Sweeps, and returns the number of removed objects. */
export async function sweepAtOnce({ objects: settings, catalogue }: ClusterSettings, graceMs: number): Promise<number> {
  const rows = await openPostgresRows(catalogue, { mayWrite: true })
  const objects = new S3Objects(settings)
  // The sweep sees a later clock, so that the grace period seems shorter.
  const later = altered(objects, { nowMs: async () => (await objects.nowMs()) + GRACE_MS - graceMs })
  try {
    const report = await sweep({ objects: later, rows }, { isForced: true })
    return report.unnamed + report.unknown
  } finally {
    await rows.close()
  }
}
