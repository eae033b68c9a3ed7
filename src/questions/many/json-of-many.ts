// Writes the answers of many books as one JSON object, with the bytes of each unchanged.
//
//   { shared fields, "markets": [ {ids, data_points, data}, {ids, error}, … ] }

import type { AnswerBytes } from '../../../workers/requests.ts'
import type { MissingBook, RecordsAnswer } from '../question.ts'

/** A book: its ids, and the reason if it has no answer. */
export type Entry = { ids: MissingBook['ids']; failure: MissingBook['failure'] | null }

const OF_ENTRY = ['data_points', 'data_count']
const text = (piece: string) => Buffer.from(piece)

/** `answers` are the answers for the entries without a failure, in the order of the entries. There is at least one
 *  answer. */
export async function* jsonOfMany(
  entries: readonly Entry[],
  answers: AsyncIterator<RecordsAnswer>,
): AsyncGenerator<Uint8Array> {
  try {
    let first: IteratorResult<RecordsAnswer> | undefined = await answers.next()
    yield text(`${JSON.stringify({ ...sharedOf(first.value.envelope, entries[0]!), markets: [] }).slice(0, -2)}`)
    for (const [index, { ids, failure }] of entries.entries()) {
      const comma = index === 0 ? '' : ','
      if (failure !== null) {
        yield text(comma + JSON.stringify({ ...ids, error: failure }))
        continue
      }
      const { envelope, data }: RecordsAnswer = (first ?? (await answers.next())).value
      first = undefined
      yield text(comma + openingOf(ids, envelope))
      yield* bytesOf(data)
      if (envelope !== null) yield text('}')
    }
    yield text(']}')
  } finally {
    await answers.return?.()
  }
}

/** Returns the text that opens an entry. It is empty for an answer without an envelope, because such an answer is a
 *  complete entry. */
function openingOf(ids: Entry['ids'], envelope: RecordsAnswer['envelope']): string {
  if (envelope === null) return ''
  const own = Object.fromEntries(OF_ENTRY.filter((name) => name in envelope).map((name) => [name, envelope[name]]))
  return `${JSON.stringify({ ...ids, ...own }).slice(0, -1)},"data":`
}

const sharedOf = (envelope: RecordsAnswer['envelope'], { ids }: Entry) =>
  Object.fromEntries(Object.entries(envelope ?? {}).filter(([name]) => !(name in ids) && !OF_ENTRY.includes(name)))

export async function* bytesOf(data: AnswerBytes): AsyncGenerator<Uint8Array> {
  if ('chunks' in data) yield* data.chunks
  else if (data.bytes.length > 0) yield data.bytes
}
