// GET /lookup/slug: the markets of a Polymarket slug, or of the URL of an event or market page.

import { Elysia, t } from 'elysia'
import { type Catalogue, SLUG_BYTES_MAX, type SlugAnswer } from '../../storage/catalogue.ts'
import { slugAnswer } from '../answers/lookup.ts'
import { mustBe, parameter } from '../http/parameters/parameter.ts'
import { parametersInvalid, quoted, RequestFailure } from '../http/server/request-failure.ts'
import { alias, operation } from '../openapi/operation.ts'

const PATH = '/lookup/slug'
/** Each character is one stored byte. In a URL, `.` and `..` would mean another page. */
const SLUG = new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,${SLUG_BYTES_MAX}}$`)
const ACCEPTED = `a slug (up to ${SLUG_BYTES_MAX} letters, digits, "-", "_", "."; not "." or "..") or the address of an event page`
/** A URL has at most two slugs: the event's and its market's. */
const GIVEN_CHARACTERS_MAX = 2 * SLUG_BYTES_MAX + 200

const slugQuery = t.Object(
  {
    slug: parameter({
      accepts: ACCEPTED,
      matches: (text) => text.length > 0 && text.length <= GIVEN_CHARACTERS_MAX,
      description: 'A slug or a whole event address; the last path segment counts',
      example: 'fed-decision-in-october',
    }),
  },
  { additionalProperties: false },
)

const about = operation({
  id: 'lookupSlug',
  summary: 'The condition ids and tokens behind a Polymarket slug',
  description:
    'Looks for an event slug first, then for a market slug, then for both in lower case. Also at ' +
    '`/polymarket/lookup/slug`.',
  tag: 'lookup',
  access: 'public',
  answer: () => ({ description: 'The markets', schema: slugAnswer }),
  failures: ['slug_not_found', 'block_corrupt', 'overloaded', 'store_unavailable'],
})

/** Looks up a slug outside the store, and stores the answer. Resolves to undefined if the slug is not found. */
export type AskForSlug = (slug: string) => Promise<SlugAnswer | undefined>

type Dependencies = { catalogue: Pick<Catalogue, 'slug'>; askForSlug: AskForSlug }

export function lookupRoutes({ catalogue, askForSlug }: Dependencies) {
  const routes = new Elysia()
  for (const path of [PATH, `/polymarket${PATH}`]) {
    routes.get(
      path,
      async ({ query }) => {
        const slug = slugOf(query.slug)
        const answer =
          (await catalogue.slug(slug)) ?? (await catalogue.slug(slug.toLowerCase())) ?? (await askForSlug(slug))
        if (answer !== undefined) return { slug, event: answer.event, markets: answer.markets }
        throw new RequestFailure('slug_not_found', `No event and no market with the slug ${quoted(slug)} is stored`)
      },
      { query: slugQuery, detail: path === PATH ? about : alias },
    )
  }
  return routes
}

/** Returns the last path segment of a URL, or the slug itself. Throws RequestFailure if that is not a valid slug. */
export function slugOf(given: string): string {
  const path = given
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
  const isAddress = path.includes('/')
  const slug = path.slice(path.lastIndexOf('/') + 1)
  const isHostAlone = isAddress && !path.replace(/^[a-z]+:\/\//i, '').includes('/')
  if (SLUG.test(slug) && !isHostAlone) return slug
  throw parametersInvalid([{ field: 'slug', message: mustBe(ACCEPTED, given) }])
}
