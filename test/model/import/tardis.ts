// Reads a Tardis file of one market, the slow way: its messages, and its book after each time of receipt.

type Row = { token: string; us: string; local: string; rest: string[] }
export type TardisMessage = { type: string; asset_id: string; timestamp: string; received_at: number; levels: string[] }
export type BookNow = { local: string; books: Record<string, string[]> }

function rowsOf(text: string): Row[] {
  const [, ...lines] = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [, token, us, local, ...rest] = line.split(',')
    return { token: token!, us: us!, local: local!, rest }
  })
}

const ms = (us: string) => String(Number(us) / 1_000)

/** Returns the messages, with levels as `side price size`. The levels of a book have bids ascending and asks
 *  descending, as the venue prints them; changes keep their order. */
export function messagesOf(text: string): TardisMessage[] {
  const messages: (TardisMessage & { key: string })[] = []
  for (const { token, us, local, rest } of rowsOf(text)) {
    const [snapshot, side, price, amount] = rest
    const key = [token, us, local, snapshot].join()
    let last = messages.at(-1)
    if (last?.key !== key) {
      const type = snapshot === 'true' ? 'snapshot' : 'delta'
      const received = Math.floor(Number(local) / 1_000)
      last = { key, type, asset_id: token, timestamp: ms(us), received_at: received, levels: [] }
      messages.push(last)
    }
    last.levels.push(`${side} ${price} ${amount}`)
  }
  return messages.map(({ key: _, ...message }) =>
    message.type === 'delta' ? message : { ...message, levels: inOrder(message.levels) },
  )
}

function inOrder(levels: string[]): string[] {
  const priceOf = (level: string) => Number(level.split(' ')[1])
  const of = (side: string) => levels.filter((level) => level.startsWith(side))
  return [...of('bid').sort((a, b) => priceOf(a) - priceOf(b)), ...of('ask').sort((a, b) => priceOf(b) - priceOf(a))]
}

/** Returns the book after each row. A run of snapshot rows with the same time of receipt replaces the book; any other
 *  row sets its level. */
export function booksOf(text: string): BookNow[] {
  const books: Record<string, Record<string, string>> = {}
  const found: BookNow[] = []
  let before: Row | undefined
  const note = () => {
    if (before === undefined) return
    const now = Object.entries(books).map(([token, book]) => [token, levelsOf(book)])
    found.push({ local: before.local, books: Object.fromEntries(now) })
  }
  for (const row of rowsOf(text)) {
    if (before !== undefined && row.local !== before.local) note()
    const [snapshot, side, price, amount] = row.rest
    const isNew = before?.local !== row.local || before.token !== row.token || before.rest[0] !== 'true'
    if (snapshot === 'true' && isNew) books[row.token] = {}
    books[row.token] = { ...books[row.token], [`${side} ${price}`]: amount! }
    before = row
  }
  note()
  return found
}

export const levelsOf = (book: Record<string, string>): string[] =>
  Object.entries(book)
    .filter(([, amount]) => Number(amount) > 0)
    .map(([level, amount]) => `${level} ${amount}`)
    .sort()
