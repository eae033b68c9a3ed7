// Expected answers of the bench's topics for the smallest synthetic days: counts, and checksums of whole bodies. If one
// changes, the program answers differently than before: change it here only if that was intended. `bun run bench
// --smoke` prints them.

import type { TopicName } from '../../bench/topics.ts'

export const BENCH_ANSWERS: Record<TopicName, Record<string, string | number>> = {
  cluster: {
    summary: 'b21e414092ddddfa',
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
    'summary at 1 s': '6fd56d1e12fde4ba',
    'summary at 60 s': '0d0361517d326b07',
    'summary at 3600 s': '4168cdeba6deb9a0',
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
    'busy day, buckets at 1 s': '1340:ec366b4a9a17fa27',
    'busiest day, records': 2975,
    'busiest day, buckets at 1 s': '1360:292bf67b51d20a58',
  },
  summary: {
    'date at 1 s': '93cecf1445ecb8e7',
    'date at 60 s': 'c75464cbfc8bcafe',
    'date at 3600 s': '4b9b2a07c52bc629',
    window: '1957aa4cf8e997a3',
  },
  candles: {
    'busy day, fill=none, bytes': 651016,
    'busy day, fill=observed, bytes': 41319542,
    'busiest day, fill=none, bytes': 651993,
  },
  rollups: {
    'densest market at 60 s, fill=none, buckets': '669:735003e2a3e1a626',
    'densest market at 60 s, fill=observed, buckets': '1439:e5eb1f18f1e969c0',
    'densest market at 1 s, fill=none, buckets': '1340:ec366b4a9a17fa27',
    'densest market at 1 s, fill=observed, buckets': '86310:f6b9a000121a6c7f',
    'busy date at 60 s': 'bc407c53fc485c1f',
    'busy date at 3600 s': '4b9b2a07c52bc629',
    '3 days of the busiest market at 3600 s': '8bcbe17976c71075',
    '3 days of the busiest market at 60 s': 'e960511c35cc6b61',
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
    'short summary, bytes': 142883,
    'clients that failed': 0,
  },
  writers: {
    'a load of 5 million records, records': 6001,
    'a load of 16 captures, on both cores, records': 6012,
  },
  memory: {
    records: 6002,
    'idle, bytes': 52,
    'summaries of the busiest day at 1 s, bytes': 41231730,
    'pages of 100,000 records, bytes': 1027012,
  },
  compression: {
    'date at 1 s, bytes': 41255435,
    'date at 60 s, bytes': 688501,
    'page of 10,000 records, bytes': 1028821,
  },
  start: {
    'summary, bytes': 688501,
  },
  rows: {
    'busy day as Arrow, all columns': '7f308c0b1bc670b8',
    'busy day as Arrow, a candle and the best prices': 'da8dbac44cf8fd1c',
    'busy day as Arrow, the top of the book': 'bb5a8501c3779d00',
    'busiest day as Arrow, all columns': '0b4cb3b1154c567f',
    'busiest day as Arrow, a candle and the best prices': '45ce550ec68ee32d',
    'busiest day as Arrow, the top of the book': 'fb198272a1da4baf',
    'busy day as json': '611b080d55feae90',
    'busy day as csv': '548902b07b5524c9',
    'busy day as parquet': '57730cc4cd22f57a',
  },
  finding: {
    'search: two words': 'd8033683acedb1e5',
    'search: the beginning of a word': 'e4c83453f74238fa',
    'search: the beginnings of three words': '72a75cde42859b56',
    'search: a word of every market': 'b1d6a2c258c3fe24',
    'search: an id': 'b442308430c0e62b',
    'calendar of 366 days': '177da5f4f36ee35c',
    'info of a market': '8c4909af76dec89c',
    'busiest markets of a date': '40cf1a886781c8a3',
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
    'buckets as arrow, bytes': 16805984,
    'trades as arrow, bytes': 26256,
    'buckets as parquet, bytes': 318014,
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
    'changes of 16,384 records as arrow': 'b5264129b94b4239',
    'changes of 16,384 records as json': '5c709ff62cc32492',
  },
  many: {
    markets: 100,
    buckets: 185,
  },
  export: {
    'nautilus, files': '4:c2bfc211c469bec1',
    'hftbacktest, files': '2:ced598e9331b2935',
    'tardis, files': '4:d9d9d91cd6b3b0d2',
    'parquet-dataset, files': '4:54206150e6d1b264',
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
