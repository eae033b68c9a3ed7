// POST /download-tickets: creates a link through which a browser can download data without a key.

import { Elysia, t } from 'elysia'
import { type Authenticate, authenticatedKey } from '../http/access/bearer.ts'
import { type DownloadTickets, TICKET, TICKET_MS } from '../http/access/download-ticket.ts'
import { noQuery } from '../http/parameters/account-parameters.ts'
import { parameter } from '../http/parameters/parameter.ts'
import { readJsonBody } from '../http/server/limited-body.ts'
import { instant, named, text } from '../openapi/field.ts'
import { BODY_FAILURES, operation } from '../openapi/operation.ts'

const PATH_MAX = 8_000
const EXAMPLE = '/kalshi/files/2026-07-20/KXDEMODAY-26JUL20-T50/records.ndjson.zst'
/** Returns the path as a browser spells it in its request. Returns undefined if the text is not a path of this
 *  server, or has a fragment or a ticket. */
function targetOf(path: string): string | undefined {
  const base = 'http://localhost'
  if (path.length > PATH_MAX || !path.startsWith('/') || !URL.canParse(path, base)) return undefined
  const { origin, pathname, search, hash, searchParams } = new URL(path, base)
  return origin === base && hash === '' && !searchParams.has(TICKET) ? `${pathname}${search}` : undefined
}

const ticketBody = (isOfData: (pathname: string) => boolean) =>
  t.Object(
    {
      path: parameter({
        accepts: `the path of a data endpoint with its query, of up to ${PATH_MAX} characters`,
        matches: (path) => isOfData(targetOf(path)?.split('?')[0] ?? ''),
        description: 'The target of the link',
        example: EXAMPLE,
      }),
    },
    { additionalProperties: false },
  )

const answer = named('DownloadTicket', 'A link that needs no key for 60 s', {
  url: text('The path with a ticket, on this server', `${EXAMPLE}?${TICKET}=4boBylTFm9kAy1R5kbT3fFsx`),
  expires_at: instant('When it ends', '2026-11-21T10:55:05.978Z'),
})

type Dependencies = {
  tickets: DownloadTickets
  authenticate: Authenticate
  /** True if a path belongs to an endpoint that accepts tickets. */
  isOfData: (pathname: string) => boolean
}

export const downloadTicketRoutes = ({ tickets, authenticate, isOfData }: Dependencies) =>
  new Elysia()
    .onParse(({ request }) => readJsonBody(request))
    .post(
      '/download-tickets',
      async ({ request, body: { path } }) => {
        const key = await authenticatedKey(request.headers.get('authorization'), authenticate)
        const { url, expiresMs } = await tickets.issue(key, targetOf(path)!)
        return { url, expires_at: new Date(expiresMs).toISOString() }
      },
      {
        body: ticketBody(isOfData),
        query: noQuery,
        detail: operation({
          id: 'createDownloadTicket',
          summary: `A link to data that works for ${TICKET_MS / 1_000} s without a key, for browsers`,
          description: 'Each use counts for the key that it was made with. It is valid for this path and query only.',
          tag: 'lookup',
          access: 'bearer',
          answer: () => ({
            description: 'The link',
            schema: answer,
          }),
          failures: BODY_FAILURES,
        }),
      },
    )
