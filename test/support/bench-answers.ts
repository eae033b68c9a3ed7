// What the topics of the bench answer about the smallest synthetic days: counts, and checksums of whole bodies. One
// that has changed means that the program answers something else than before: change it here only where that was meant.
// `bun run bench --smoke` prints them.

import type { TopicName } from '../../bench/topics.ts'

export const BENCH_ANSWERS: Record<TopicName, Record<string, string | number>> = {
  cluster: {
    summary: 'c77ac042babe5135',
  },
  history: {
    '/keys?user_id=user-0': 3453,
    requests: 9600,
  },
  ingest: {
    '16 captures, records': 6012,
    'synthetic day, records': 6002,
  },
  'ingest-one-core': {
    '16 captures, records': 6012,
    'synthetic day, records': 6002,
  },
  import: {
    records: 6000,
    rejected: 0,
    rows: 6000,
  },
  appends: {
    'pages of 999 records': '991ee0bcb121a10e',
    'summary at 1 s': '1ceea318e8ef30ba',
    'summary at 60 s': 'c85c013a0d29e188',
    'summary at 3600 s': '440aa3b2aaf9f4c0',
  },
  'live-load': {
    messages: 6150,
    records: 6150,
    'records of the segments': 6150,
  },
  record: {
    'messages said': 200,
    'records stored': 220,
  },
  storage: {
    'Kalshi records': 6002,
  },
  stream: {
    'records of a commit': 20,
  },
  decode: {
    records: 2984,
  },
  book: {
    'busy day, records': 2984,
    'busy day, buckets at 1 s': '1340:abdc452c6d27fe7a',
    'busiest day, records': 2975,
    'busiest day, buckets at 1 s': '1360:18a2cc36d1a4b0de',
  },
  summary: {
    'date at 1 s': '994cab65b355e9ad',
    'date at 60 s': '77301dfaa903fd7d',
    'date at 3600 s': '421d9c1f7a4e0862',
    window: 'b176069c4a07b198',
  },
  candles: {
    'busy day, fill=none, bytes': 621146,
    'busy day, fill=observed, bytes': 39421029,
    'busiest day, fill=none, bytes': 622079,
  },
  rollups: {
    'densest market at 60 s, fill=none, buckets': '669:90d6e75c1d6182be',
    'densest market at 60 s, fill=observed, buckets': '1439:fbe9f535f1bb18a3',
    'densest market at 1 s, fill=none, buckets': '1340:abdc452c6d27fe7a',
    'densest market at 1 s, fill=observed, buckets': '86310:d703a32716557131',
    'busy date at 60 s': '3ad38a0cf72cec0d',
    'busy date at 3600 s': '421d9c1f7a4e0862',
    '3 days of the busiest market at 3600 s': 'a063b6272b6b2e99',
    '3 days of the busiest market at 60 s': 'fe0350512649ed65',
  },
  pages: {
    'first page': 'a82a4e007041a05b',
    'whole day': '8ed51ac4396aa507',
  },
  markets: {
    'list, 1,000 from the start': '9f3e1fbfc05d27f5',
    'list, 1,000 from the middle': 'e7666809306388ac',
    'list, 1,000 at the end': '73567ce8f7f3f38b',
    'list, a prefix with 100 markets': '6b7573cfa0377b17',
    'date-range, one date': '68843e5be8ce0655',
    'date-range, 400 dates': 'ac1558013823f839',
  },
  requests: {
    health: 'ok',
    'date-range': 'ab9a8f02303e6d02',
  },
  accounts: {
    with: 'ab9a8f02303e6d02',
    without: 'ab9a8f02303e6d02',
  },
  clients: {
    'short summary, bytes': 136283,
    'clients that failed': 0,
  },
  writers: {
    'a load of 5 million records, records': 6001,
    'a load of 16 captures, on both cores, records': 6012,
  },
  memory: {
    records: 6002,
    'idle, bytes': 52,
    'summaries of the busiest day at 1 s, bytes': 39336437,
    'pages of 100,000 records, bytes': 1027012,
  },
  compression: {
    'date at 1 s, bytes': 39356708,
    'date at 60 s, bytes': 656849,
    'page of 10,000 records, bytes': 1028821,
  },
  start: {
    'summary, bytes': 656849,
  },
  rows: {
    'busy day as Arrow, all columns': '5afc47e252fb31a4',
    'busy day as Arrow, a candle and the best prices': 'da8dbac44cf8fd1c',
    'busy day as Arrow, the top of the book': 'bb5a8501c3779d00',
    'busiest day as Arrow, all columns': '6ca386aee4ecba5a',
    'busiest day as Arrow, a candle and the best prices': '45ce550ec68ee32d',
    'busiest day as Arrow, the top of the book': 'fb198272a1da4baf',
    'busy day as json': 'a1cd478781a756ea',
    'busy day as csv': '72acd9f595d9ea8b',
    'busy day as parquet': '146819e18d87f049',
  },
  finding: {
    'search: two words': 'd8033683acedb1e5',
    'search: the beginning of a word': 'e4c83453f74238fa',
    'search: the beginnings of three words': '72a75cde42859b56',
    'search: a word of every market': 'b1d6a2c258c3fe24',
    'search: an id': 'b442308430c0e62b',
    'calendar of 366 days': '177da5f4f36ee35c',
    'info of a market': '818e3473f40c0790',
    'busiest markets of a date': '5c15bc71107f29d4',
  },
  trades: {
    'trades of a day as arrow, at most 100,000': 'b96b04880f234a45',
    'trades of a day as json, at most 100,000': 'b96b04880f234a45',
    'trade candles at 60 s': 'c204a9c68ba285e7',
  },
  explorer: {
    'date-range': 'ab9a8f02303e6d02',
  },
  'row-clients': {
    'buckets as arrow, bytes': 16714928,
    'trades as arrow, bytes': 26256,
    'buckets as parquet, bytes': 317185,
    'trades as parquet, bytes': 10916,
    'clients that failed': 0,
  },
  replay: {
    'messages of the busiest day': 2977,
    'messages at speed 1': 0,
    'clients that failed': 0,
  },
  instants: {
    'book at an instant': '2b52b5b58c242ba3',
    'book at a record, ten levels': '5d4b0d3e1de117cd',
    'changes of 16,384 records as arrow': '56f6d482dfb5e806',
    'changes of 16,384 records as json': 'd1d4a88b36e07508',
  },
  many: {
    markets: 100,
    buckets: 185,
  },
  export: {
    'nautilus, files': '4:c2bfc211c469bec1',
    'hftbacktest, files': '2:ced598e9331b2935',
    'tardis, files': '4:d9d9d91cd6b3b0d2',
    'parquet-dataset, files': '4:180615df54f6c700',
  },
  depth: {
    'depth at 60 s, ten levels, four bands': 'cb8b91820083b992',
  },
  'depth-map': {
    'depth map, 1,440 × 1,001, max': '435e77367acd0e3f',
    'depth map, 1,440 × 1,001, mean': '22b8796c535ce929',
    'depth map, 1,440 × 1,001, last': '9136c7e74d0659ff',
  },
}
