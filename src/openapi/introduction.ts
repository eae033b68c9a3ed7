// The introduction of the OpenAPI document, and its groups of endpoints.

import { VENUES } from '../../storage/venue.ts'
import { API_VENUES } from '../venues.ts'
import type { Tag } from './operation.ts'

export const ABOUT = `Order-book history of Polymarket and Kalshi, from this server's own store.

**Try it:** press *Authorize* and paste an API key (\`bb_…\`; the demo prints one, and so does \`backbook keys create\`).
Then open an endpoint and press *Try it out*. The examples are markets of the demo's day, 2026-07-20.

- Times are Unix milliseconds in UTC, unless stated otherwise. In requests, timestamps below 1e11 are seconds. Dates are
  UTC days. Bounds are inclusive.
- Prices are dollars from 0 to 1, sizes are contracts. Both are exact decimals.
- Every path answers with and without \`/api/v1\`.
- Unknown parameters are refused, and so are those given twice.
- Every GET endpoint answers HEAD too. Answers about markets have an \`ETag\`: send it as \`If-None-Match\` to save the body.
- Errors are \`application/problem+json\` (RFC 9457) with a \`code\` to program against. After 503 and \`rate_limited\` wait as
  \`Retry-After\` says. After \`quota_exceeded\` do not wait: it lasts until the next month.
- Long answers are streamed. An error after the first byte breaks the connection, so an answer that arrived as complete
  JSON is complete.

[The whole documentation](/docs/README.md) · [clients](/docs/clients.md) · [for language models](/llms.txt) ·
[this document as JSON](/docs/json) · [types for TypeScript](/docs/backbook.d.ts)`

export const TAGS: readonly { name: Tag; description: string }[] = [
  ...VENUES.map((name) => ({ name, description: API_VENUES[name].about })),
  { name: 'lookup', description: 'Finds the markets of a slug' },
  { name: 'keys', description: 'API keys. Management: this machine, or the admin token' },
  { name: 'usage', description: 'Requests and calls of users. Management: this machine, or the admin token' },
  { name: 'billing', description: 'Subscriptions through Stripe. Management: this machine, or the admin token' },
  { name: 'service', description: 'The server itself' },
]
