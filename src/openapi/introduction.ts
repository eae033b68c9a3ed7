// The words that the OpenAPI document opens with, and its groups of endpoints.

import type { Tag } from './operation.ts'

export const ABOUT = `Order-book history of Polymarket and Kalshi, from this server's own store.

**Try it:** press *Authorize*, put in an API key (\`bb_…\`, from \`backbook keys create\` or from the line that the demo
prints), open an endpoint and press *Try it out*. The examples are markets of the demo's day, 2026-07-20.

- Times are Unix milliseconds in UTC unless they are said to be seconds; dates are UTC days. Timestamps below 1e11 in a
  request are seconds. Bounds are inclusive.
- Prices are dollars from 0 to 1, sizes are contracts. Both are exact decimals.
- Every path answers with and without \`/api/v1\`.
- Parameters that an endpoint does not know, and those given twice, are refused.
- Every GET answers HEAD, too. Answers about markets carry an \`ETag\`: sent again as \`If-None-Match\`, it saves the body.
- Failures are \`application/problem+json\` (RFC 9457) with a \`code\` to program against.
- Long answers are streamed. A failure after the first byte breaks the connection: what arrived as complete JSON is
  complete.

[The whole documentation](/docs/README.md) · [clients](/docs/clients.md) · [for language models](/llms.txt) ·
[this document as JSON](/docs/json) · [types for TypeScript](/docs/backbook.d.ts)`

export const TAGS: readonly { name: Tag; description: string }[] = [
  { name: 'polymarket', description: 'Markets of Polymarket: a condition id, and an outcome token for each book' },
  { name: 'kalshi', description: 'Markets of Kalshi: a ticker, which is its only book' },
  { name: 'lookup', description: 'From a slug to a market' },
  { name: 'keys', description: 'API keys. Management: this machine, or the admin token' },
  { name: 'usage', description: 'What was asked, by whom. Management: this machine, or the admin token' },
  { name: 'billing', description: 'Subscriptions through Stripe. Management: this machine, or the admin token' },
  { name: 'service', description: 'The server itself' },
]
