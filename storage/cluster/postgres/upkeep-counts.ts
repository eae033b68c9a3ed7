// Counts the work that waits for a cluster's upkeep.

import type { UpkeepCounts } from '../database/cluster-database.ts'
import type { Postgres } from './connection.ts'

/** The largest count: counting further would cost more than it is worth. */
const COUNTED_MAX = 10_000

export async function countUpkeep(postgres: Postgres): Promise<UpkeepCounts> {
  const [row] = await postgres.ask(
    (sql) => sql`
      SELECT
        (SELECT count(*) FROM (
          SELECT FROM days WHERE NOT is_moved AND date < (clock_timestamp() AT TIME ZONE 'UTC')::date
          LIMIT ${COUNTED_MAX}) d) AS days,
        (SELECT count(*) FROM (
          SELECT FROM segments
          WHERE unnamed_at <= clock_timestamp() - interval '1 day' AND swept_at IS NULL
          LIMIT ${COUNTED_MAX}) s) AS segments`,
  )
  return { daysToCompact: Number(row.days), segmentsToSweep: Number(row.segments) }
}
