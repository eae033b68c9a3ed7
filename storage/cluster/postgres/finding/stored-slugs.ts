// Stores the lookup answers of slugs.

import type { TransactionSQL } from 'bun'
import { isSlugTooLong, type SlugAnswer, type SlugAnswers } from '../../../catalogue.ts'
import { mergedAnswer } from '../../../slug-answers.ts'
import { blobs, type Queryable, texts } from './arrays.ts'
import { bytesOf, packed, textOf, unpacked } from './packed-values.ts'
import { lockMetadata } from './put-metadata.ts'

type Kind = 'event' | 'market'
export type AnsweredSlug = { kind: Kind; slug: string; answer: SlugAnswer }

export async function readSlug(sql: Queryable, slug: string): Promise<SlugAnswer | undefined> {
  if (isSlugTooLong(slug)) return undefined
  const [row] = await sql`
    SELECT answer FROM slugs WHERE kind IN ('event', 'market') AND slug = ${bytesOf(slug)} ORDER BY kind LIMIT 1`
  return row === undefined ? undefined : unpacked<SlugAnswer>(row.answer)
}

export const answeredSlugs = ({ events, markets }: SlugAnswers): AnsweredSlug[] => [
  ...events.map((answer): AnsweredSlug => ({ kind: 'event', slug: answer.event!.slug, answer })),
  ...markets.map((answer): AnsweredSlug => ({ kind: 'market', slug: answer.markets[0]!.slug, answer })),
]

export async function putSlugs(sql: TransactionSQL, updates: readonly AnsweredSlug[]): Promise<void> {
  await lockMetadata(sql)
  const stored: { kind: Kind; slug: Uint8Array; answer: Uint8Array }[] = await sql`
    SELECT s.kind, s.slug, s.answer
    FROM (SELECT DISTINCT * FROM unnest(${texts(sql, updates, ({ kind }) => kind)},
      ${blobs(sql, updates, ({ slug }) => bytesOf(slug))})) AS u (kind, slug)
    JOIN slugs s ON s.kind = u.kind AND s.slug = u.slug`
  const before = new Map(stored.map((row) => [nameOf(row.kind, textOf(row.slug)), unpacked<SlugAnswer>(row.answer)]))
  const merged = new Map<string, AnsweredSlug>()
  for (const { kind, slug, answer } of updates) {
    const name = nameOf(kind, slug)
    const known = merged.get(name)?.answer ?? before.get(name)
    merged.set(name, { kind, slug, answer: mergedAnswer(known, answer) })
  }
  const rows = [...merged.values()]
  await sql`
    INSERT INTO slugs (kind, slug, answer)
    SELECT * FROM unnest(${texts(sql, rows, ({ kind }) => kind)}, ${blobs(sql, rows, ({ slug }) => bytesOf(slug))},
      ${blobs(sql, rows, ({ answer }) => packed(answer))})
    ON CONFLICT (kind, slug) DO UPDATE SET answer = excluded.answer`
}

const nameOf = (kind: Kind, slug: string): string => `${kind} ${slug}`
