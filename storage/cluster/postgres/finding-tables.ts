// The tables for finding markets. Columns that only this program reads are packed (finding/packed-values.ts). Texts
// that venues choose are stored as bytes in UTF-8, because they may contain characters that PostgreSQL's own texts
// cannot.

export const FINDING_TABLES: readonly string[] = [
  // Markets that are stored, or that have metadata. Numbers grow in the order in which markets became known.
  // `last_date` is the newest stored date, null if nothing is stored.
  `CREATE SEQUENCE known_numbers`,
  `CREATE TABLE known_markets (
    venue text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    last_date date,
    is_said boolean NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (venue, market)
  )`,
  `CREATE INDEX known_markets_newest ON known_markets (venue, last_date DESC NULLS LAST, number DESC)`,
  `CREATE INDEX known_markets_words ON known_markets USING gin (words)`,
  // `said` holds the venue's own JSON and its times, which few queries need.
  `CREATE TABLE market_metadata (
    venue text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    event bytea,
    card bytea NOT NULL,
    said bytea NOT NULL,
    PRIMARY KEY (venue, market)
  )`,
  `CREATE INDEX market_metadata_event ON market_metadata (venue, event, market) WHERE event IS NOT NULL`,
  `CREATE TABLE event_metadata (
    venue text COLLATE "C" NOT NULL,
    event bytea NOT NULL,
    card bytea NOT NULL,
    said bytea NOT NULL,
    PRIMARY KEY (venue, event)
  )`,
  `CREATE TABLE slugs (kind text NOT NULL, slug bytea NOT NULL, answer bytea NOT NULL, PRIMARY KEY (kind, slug))`,
  // Sums of a date, in shards, so that concurrent commits do not wait for one another. The time of the newest record
  // stays when the record is removed, and so do the rows.
  `CREATE TABLE sums (
    venue text COLLATE "C" NOT NULL,
    date date NOT NULL,
    shard smallint NOT NULL,
    markets bigint NOT NULL,
    records bigint NOT NULL,
    trades bigint NOT NULL,
    volume numeric NOT NULL,
    gaps bigint NOT NULL,
    gap_ms bigint NOT NULL,
    inferred_gaps bigint NOT NULL,
    snapshots_confirmed bigint NOT NULL,
    snapshots_contradicted bigint NOT NULL,
    best_prices_agreed bigint NOT NULL,
    best_prices_checked bigint NOT NULL,
    hashes_agreed bigint NOT NULL,
    hashes_checked bigint NOT NULL,
    last_record_ms bigint,
    PRIMARY KEY (venue, date, shard)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE audits (
    venue text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    date date NOT NULL,
    audits bytea NOT NULL,
    PRIMARY KEY (venue, market, date)
  )`,
  `CREATE TABLE loads (source text NOT NULL, name text NOT NULL, load bytea NOT NULL, PRIMARY KEY (source, name))`,
  // Writers of metadata or slugs lock the first row, writers of provenance the second: each kind has one writer at a
  // time.
  `INSERT INTO counters VALUES ('metadata', 0), ('provenance', 0)`,
]
