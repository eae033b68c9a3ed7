// Lists the topics by name. Each is imported only in the process that measures it, so that other topics do not warm up
// its code.

import type { Topic } from './topic.ts'

type TopicEntry = {
  title: string
  /** Binds the process to one core if the system supports it. */
  isOneCore?: true
  load: () => Promise<{ topic: Topic }>
}

export const TOPICS = {
  ingest: {
    title: 'Loading captures',
    load: () => import('./topics/ingest.ts'),
  },
  'ingest-one-core': {
    title: 'Loading captures, on one core',
    isOneCore: true,
    load: () => import('./topics/ingest.ts'),
  },
  appends: {
    title: 'Appending to what is stored, on one core',
    isOneCore: true,
    load: () => import('./topics/appends.ts'),
  },
  'live-load': {
    title: 'Loading while it is recorded',
    load: () => import('./topics/recording/live-load.ts'),
  },
  record: {
    title: 'A recorder between a venue and a server',
    load: () => import('./topics/recording/record.ts'),
  },
  cluster: {
    title: 'A store on objects and PostgreSQL, beside LMDB',
    load: () => import('./topics/cluster/cluster.ts'),
  },
  storage: {
    title: 'What a record takes on disk',
    load: () => import('./topics/storage.ts'),
  },
  decode: {
    title: 'Decoding stored blocks',
    load: () => import('./topics/decode.ts'),
  },
  book: {
    title: 'Books and buckets, decoding included',
    load: () => import('./topics/book.ts'),
  },
  summary: {
    title: 'Summaries over HTTP',
    load: () => import('./topics/summary.ts'),
  },
  candles: {
    title: 'A day at 1 s over HTTP, beside DuckDB on ready-made quotes',
    load: () => import('./topics/candles.ts'),
  },
  rollups: {
    title: 'Whole seconds and minutes over HTTP, new questions',
    load: () => import('./topics/rollups.ts'),
  },
  rows: {
    title: 'A busy day at 1 s as rows over HTTP',
    load: () => import('./topics/questions/rows.ts'),
  },
  instants: {
    title: 'The book at instants of 2 million records over HTTP, and its changes',
    load: () => import('./topics/questions/instants.ts'),
  },
  trades: {
    title: 'Trades of 2 million records over HTTP, their candles beside DuckDB',
    load: () => import('./topics/questions/trades.ts'),
  },
  pages: {
    title: 'Raw pages over HTTP',
    load: () => import('./topics/pages.ts'),
  },
  export: {
    title: 'A day as files of other programs, beside its raw records',
    load: () => import('./topics/archives/export.ts'),
  },
  import: {
    title: 'Loading an hour of an archive from Parquet',
    load: () => import('./topics/archives/import.ts'),
  },
  depth: {
    title: 'Depth over time and its map over HTTP, beside DuckDB on ready-made snapshots',
    load: () => import('./topics/questions/depth.ts'),
  },
  'depth-map': {
    title: 'The map of the depth of a day over HTTP',
    load: () => import('./topics/questions/depth-map.ts'),
  },
  many: {
    title: 'A hundred markets in one request',
    load: () => import('./topics/questions/many.ts'),
  },
  finding: {
    title: 'Search among 100,000 markets, and a calendar, over HTTP',
    load: () => import('./topics/questions/finding.ts'),
  },
  markets: {
    title: 'A million markets over HTTP',
    load: () => import('./topics/markets.ts'),
  },
  requests: {
    title: 'Requests a second, beside Elysia alone',
    load: () => import('./topics/requests.ts'),
  },
  accounts: {
    title: 'What the check of a key costs',
    load: () => import('./topics/accounts.ts'),
  },
  history: {
    title: 'Questions about 10,000 keys and 10 million requests',
    load: () => import('./topics/history.ts'),
  },
  clients: {
    title: '64 clients at once, half of them slow',
    load: () => import('./topics/clients.ts'),
  },
  replay: {
    title: 'Replays over WebSocket, one client and 64',
    load: () => import('./topics/replay.ts'),
  },
  stream: {
    title: 'Subscribers of a market that grows, one and 1,000',
    load: () => import('./topics/stream.ts'),
  },
  explorer: {
    title: 'The explorer in a browser, at a day of 2 million records',
    load: () => import('./topics/browser/explorer.ts'),
  },
  'row-clients': {
    title: '64 clients at once that read Arrow and Parquet',
    load: () => import('./topics/questions/row-clients.ts'),
  },
  writers: {
    title: 'Readers beside writers',
    load: () => import('./topics/writers.ts'),
  },
  memory: {
    title: 'Peak resident memory',
    load: () => import('./topics/memory.ts'),
  },
  compression: {
    title: 'Compressed answers over HTTP',
    load: () => import('./topics/compression.ts'),
  },
  start: {
    title: 'First answers of a server just started',
    load: () => import('./topics/start.ts'),
  },
} satisfies Record<string, TopicEntry>

export type TopicName = keyof typeof TOPICS
export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[]

export const isTopicName = (text: string): text is TopicName => Object.hasOwn(TOPICS, text)
export const topicEntry = (name: TopicName): TopicEntry => TOPICS[name]
