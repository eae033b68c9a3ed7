// GET /llms.txt: what this server is and where its documentation is, for language models (https://llmstxt.org).

import { VERSION } from '../version.ts'

export const llmsText = () => `# backbook

> A self-hosted server (version ${VERSION}) for the order-book history of two prediction markets, Polymarket and Kalshi.
> It answers books at any instant, candles, trades, depth and the raw messages of the venues over HTTP, from captures
> that its operator loaded.

- Every path below answers with and without the prefix /api/v1.
- Market endpoints need the header "Authorization: Bearer <API key>". Keys come from the server's operator.
- A Polymarket market is a condition_id ("0x" and 64 hex digits) with two or more outcome tokens, asset_id (decimal
  digits). Each token is a book. A Kalshi market is a ticker, and is its only book.
- Times are Unix milliseconds in UTC; in requests, values below 1e11 are seconds. Bounds are inclusive. Dates are UTC
  days.
- Prices are dollars from 0 to 1, sizes are contracts.
- Rows come as JSON, or with format= as ndjson, csv, arrow or parquet; raw records as json or ndjson.
- /{venue}/markets/… asks about up to 200 books in one request, or about all of an event with event=.
- Unknown parameters are refused. Failures are application/problem+json: program against "code"; "detail" says what was
  given and what is accepted. After 503 and after 429 "rate_limited" wait as many seconds as Retry-After says, and ask
  again. Do not wait after 429 "quota_exceeded": the month's calls are used up until the next month. Report it.
- To find data: /search?q=words, or /{venue}/calendar and /{venue}/markets/active?date=…; then
  /{venue}/market/coverage, which has the stored dates, the asset_ids, and what is missing.

## Endpoints

- [OpenAPI document](/docs/json): every endpoint, parameter, answer and failure, OpenAPI 3.0.3
- [API](/docs/api.md): the same in words, with examples, pagination and all failure codes
- [TypeScript types](/docs/backbook.d.ts): of every endpoint, for Eden or for plain fetch

## Guide

- [Contents](/docs/README.md): all pages of the guide
- [Clients](/docs/clients.md): curl, TypeScript and Python: pages, cursors, retries
- [Cookbook](/docs/cookbook/README.md): questions of research, each with a request and a few lines of Python or SQL
- [Records](/docs/records.md): what a raw record is, and which captures can be loaded
- [Time and order](/docs/time-and-order.md): event time, merging, duplicates
- [Books](/docs/books.md): how records become a book and quotes
- [Replay](/docs/replay.md): stored messages again, in the protocols of both venues or as records, at any speed
- [Summaries](/docs/summaries.md): what a bucket and a candle are, field by field
- [Limits](/docs/limits.md): every limit
- [Glossary](/docs/glossary.md): the words of the guide

## Optional

- [Start](/docs/start.md): from nothing to your own data
- [Get data](/docs/get-data.md): what can be loaded, and how to record
- [Commands](/docs/commands.md): the command line
- [Settings](/docs/settings.md): flags, environment variables, the data folder
- [Binary](/docs/binary.md): everything in one file
- [Operations](/docs/operations.md): backups, upgrades, systemd, containers, proxies
- [Grow past one machine](/docs/cluster.md): nodes on S3 and PostgreSQL
- [Monitoring](/docs/monitoring.md): status, metrics, alerts, the log
- [Promises](/docs/promises.md): what holds when something goes wrong
- [Accounts](/docs/accounts.md): keys, plans, limits, usage, billing
- [Interactive page](/docs): for people
`
