// Formats a message as one line of names and values, without ids and fields that are the same in all messages.

/** Fields that a line omits: ids, and fields that are the same in all messages of a market. */
const ALIKE = new Set(['market_ticker', 'market_id', 'market', 'asset_id', 'event_type', 'type', 'trade_id', 'hash'])
/** Length of the longest list that is shown with its items. A longer list, such as the levels of a snapshot, is shown
 *  as its length. */
const LISTED_MAX = 4
const LINE_MAX = 300

/** Returns the line for a message. `record` is the JSON text of its record from the API. */
export function messageLine(record: string): string {
  const { msg } = JSON.parse(record) as { msg: unknown }
  return textOf(msg).slice(0, LINE_MAX)
}

/** Returns whether a list is shown as its length: it is long, or empty. */
const isLong = ({ length }: readonly unknown[]): boolean => length === 0 || length > LISTED_MAX

function textOf(value: unknown): string {
  if (Array.isArray(value)) return isLong(value) ? `(${value.length})` : value.map(textOf).join(' | ')
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([name]) => !ALIKE.has(name))
  return fields.map(([name, each]) => `${name} ${textOf(each)}`).join(' · ')
}
