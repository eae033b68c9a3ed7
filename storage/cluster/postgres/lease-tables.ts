// The tables of what recorders share: who records which shard, and who is there.

/** `holder` is null where a lease was given back. `heard_until` is in Unix ms; `books` are what was recorded of it. */
export const LEASE_TABLES: readonly string[] = [
  `CREATE TABLE leases (
    lease text COLLATE "C" PRIMARY KEY,
    lease_group text COLLATE "C" NOT NULL,
    holder text,
    epoch bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    heard_until double precision,
    books bytea
  )`,
  `CREATE TABLE recorders (
    lease_group text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (lease_group, holder)
  )`,
]
