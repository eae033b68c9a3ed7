// Leases in PostgreSQL. Every statement that changes several locks them in the order of their names, as commits do.

import type { TransactionSQL } from 'bun'
import type { HeldLease, LeaseGroup, LeaseRow, Leases, LeaseTurn, ShardHeard, TakenLease } from '../leases/leases.ts'
import { leaseName } from '../leases/leases.ts'
import type { CatalogueSettings } from '../settings/cluster-settings.ts'
import { type Asked, Postgres } from './connection.ts'
import { prepareCatalogue } from './schema.ts'

/** Makes the catalogue's tables where they are missing. Rejects with DataError('store_unavailable'). */
export async function openPostgresLeases(settings: CatalogueSettings): Promise<Leases> {
  const postgres = new Postgres(settings)
  try {
    await prepareCatalogue(postgres, settings.schema, true)
    return new PostgresLeases(postgres)
  } catch (error) {
    await postgres.close().catch(() => undefined)
    throw error
  }
}

class PostgresLeases implements Leases {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async prepare(group: string, count: number): Promise<void> {
    const leases = Array.from({ length: count }, (_, shard) => leaseName(group, shard))
    await this.#postgres.ask(
      (sql) => sql`
        INSERT INTO leases (lease, lease_group, epoch, expires_at)
        SELECT lease, ${group}, 0, clock_timestamp() FROM unnest(${sql.array(leases, 'TEXT')}) AS u(lease)
        WHERE NOT EXISTS (SELECT 1 FROM leases WHERE lease_group = ${group})
        ON CONFLICT DO NOTHING`,
    )
  }

  turn({ group, holder, ttlMs, held }: LeaseTurn): Promise<LeaseGroup> {
    return this.#postgres.write(async (sql) => {
      await sql`DELETE FROM recorders WHERE lease_group = ${group} AND expires_at <= clock_timestamp()
        AND holder <> ${holder}`
      await sql`
        INSERT INTO recorders (lease_group, holder, expires_at) VALUES (${group}, ${holder}, ${after(sql, ttlMs)})
        ON CONFLICT (lease_group, holder) DO UPDATE SET expires_at = excluded.expires_at`
      await lockHeld(sql, held)
      await noteHeard(sql, held)
      await sql`
        UPDATE leases l SET expires_at = ${after(sql, ttlMs)}
        FROM jsonb_to_recordset(${fencesText(held)}::text::jsonb) AS u(lease text, holder text, epoch bigint)
        WHERE l.lease = u.lease AND l.holder = u.holder AND l.epoch = u.epoch`
      return readGroup(sql, group)
    })
  }

  async take({ lease, epoch }: LeaseRow, taker: { holder: string; ttlMs: number }): Promise<TakenLease | undefined> {
    const { holder, ttlMs } = taker
    const rows = await this.#postgres.write(
      (sql) => sql`
        UPDATE leases SET holder = ${holder}, epoch = epoch + 1, expires_at = ${after(sql, ttlMs)}
        WHERE lease = (SELECT lease FROM leases WHERE lease = ${lease} FOR UPDATE SKIP LOCKED)
          AND epoch = ${epoch} AND (holder IS NULL OR expires_at <= clock_timestamp())
        RETURNING epoch, heard_until, books`,
    )
    const [row] = rows as { epoch: string; heard_until: number | null; books: Uint8Array | null }[]
    if (row === undefined) return undefined
    const heard: ShardHeard = {
      untilMs: row.heard_until === null ? null : Number(row.heard_until),
      books: row.books === null ? null : new Uint8Array(row.books),
    }
    return { fence: { lease, holder, epoch: Number(row.epoch) }, heard }
  }

  async giveBack(held: readonly HeldLease[]): Promise<void> {
    await this.#postgres.write(async (sql) => {
      await lockHeld(sql, held)
      await noteHeard(sql, held)
      await sql`
        UPDATE leases l SET holder = NULL
        FROM jsonb_to_recordset(${fencesText(held)}::text::jsonb) AS u(lease text, holder text, epoch bigint)
        WHERE l.lease = u.lease AND l.holder = u.holder AND l.epoch = u.epoch`
    })
  }

  async leave(group: string, holder: string): Promise<void> {
    await this.#postgres.ask((sql) => sql`DELETE FROM recorders WHERE lease_group = ${group} AND holder = ${holder}`)
  }

  close(): Promise<void> {
    return this.#postgres.close()
  }
}

const fencesText = (held: readonly HeldLease[]) => JSON.stringify(held.map(({ fence }) => fence))

const after = (sql: Asked, ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`

async function lockHeld(sql: TransactionSQL, held: readonly HeldLease[]): Promise<void> {
  await sql`
    SELECT 1 FROM leases l
    WHERE l.lease IN (SELECT lease FROM jsonb_to_recordset(${fencesText(held)}::text::jsonb) AS u(lease text))
    ORDER BY l.lease FOR UPDATE`
}

/** Of those that are still their holder's. */
async function noteHeard(sql: TransactionSQL, held: readonly HeldLease[]): Promise<void> {
  const told = held.flatMap(({ fence, heard }) => (heard === null ? [] : [{ ...fence, until: heard.untilMs }]))
  if (told.length > 0) {
    await sql`
      UPDATE leases l SET heard_until = u.until
      FROM jsonb_to_recordset(${JSON.stringify(told)}::text::jsonb)
        AS u(lease text, holder text, epoch bigint, until double precision)
      WHERE l.lease = u.lease AND l.holder = u.holder AND l.epoch = u.epoch`
  }
  for (const { fence, heard } of held) {
    if (heard?.books == null) continue
    const { lease, holder, epoch } = fence
    await sql`UPDATE leases SET books = ${heard.books} WHERE lease = ${lease} AND holder = ${holder} AND epoch = ${epoch}`
  }
}

async function readGroup(sql: TransactionSQL, group: string): Promise<LeaseGroup> {
  const recorders: { holder: string }[] = await sql`
    SELECT holder FROM recorders WHERE lease_group = ${group} ORDER BY holder`
  const leases: { lease: string; holder: string | null; epoch: string; is_expired: boolean }[] = await sql`
    SELECT lease, holder, epoch, expires_at <= clock_timestamp() AS is_expired FROM leases
    WHERE lease_group = ${group} ORDER BY lease`
  return {
    recorders: recorders.map(({ holder }) => holder),
    leases: leases.map(({ lease, holder, epoch, is_expired: isExpired }): LeaseRow => {
      const state = holder === null ? 'free' : isExpired ? 'expired' : 'held'
      return { lease, holder, epoch: Number(epoch), state }
    }),
  }
}
