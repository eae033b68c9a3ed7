// Accounts for everything that a load read, in one line whose parts add up.

import { counted, grouped } from './numbers.ts'

export type Account = {
  /** The number of lines or rows. Each may hold several messages, or none. */
  read: { count: number; what: string }
  /** The number of messages that were used, and what was made from them. */
  used: number
  made: { count: number; what: string }
  /** The unused messages, by kind. */
  unused: readonly (readonly [count: number, what: string])[]
}

/** Returns text such as "74 rows: 69 records, 5 control frames". */
export function accountText({ read, used, made, unused }: Account): string {
  const total = unused.reduce((sum, [count]) => sum + count, used)
  const results = counted(made.count, made.what)
  const parts = unused.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count)} ${what}`)
  if (used > 0 || parts.length === 0)
    parts.unshift(used === made.count ? results : `${grouped(used)} that make ${results}`)
  const scope = counted(read.count, read.what)
  return `${total === read.count ? scope : `${counted(total, 'message')} in ${scope}`}: ${parts.join(', ')}`
}

/** Groups the frames that are known but are not records. Returns the count and the name of each group. */
export function skippedParts(skipped: Readonly<Record<string, number>>): [count: number, what: string][] {
  const groups = new Map<string, number>()
  for (const [name, count] of Object.entries(skipped)) {
    const group = groupOf(name)
    groups.set(group, (groups.get(group) ?? 0) + count)
  }
  return [...groups].map(([group, count]) => [
    count,
    count === 1 ? group.replace(/(frame|line|document|message|trade)s/, '$1') : group,
  ])
}

function groupOf(name: string): string {
  if (name.startsWith('private ')) return 'private frames'
  if (name.startsWith('backbook ')) return 'lines of the recorder about itself'
  return CONTROL.has(name) ? 'control frames' : name
}

/** Names that venues and readers use for frames that only maintain a connection. */
const CONTROL = new Set(['ping', 'pong', 'control', 'empty', 'subscribed', 'unsubscribed', 'ok', 'error', 'heartbeat'])

/** Returns a text for each note on messages that were used. */
export const noteTexts = (notes: Readonly<Record<string, number>>): string[] =>
  Object.entries(notes).map(([what, count]) => `${counted(count, 'message')} ${what}`)
