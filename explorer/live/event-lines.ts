// Parses server-sent events from a text that arrives in arbitrary pieces.

export type ServerEvent = { id: string | null; data: string }

export class EventLines {
  #rest = ''

  /** Returns the events that this text completes. Skips comments. */
  push(text: string): ServerEvent[] {
    const parts = (this.#rest + text).split('\n\n')
    this.#rest = parts.pop()!
    return parts.flatMap(eventOf)
  }
}

function eventOf(part: string): ServerEvent[] {
  let id: string | null = null
  const data: string[] = []
  for (const line of part.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'id') id = value
    else if (name === 'data') data.push(value)
  }
  return data.length === 0 ? [] : [{ id, data: data.join('\n') }]
}
