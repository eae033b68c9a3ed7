// Formats JSON with one value per line. Keeps the text of every value, such as the digits of a number.

const INDENT = '  '

/** `text` must be JSON without whitespace between its parts. Numbers keep their digits and strings their escapes. */
export function prettyJson(text: string): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^[\]{},:"\s]+/g) ?? []
  let depth = 0
  let pretty = ''
  const line = () => `\n${INDENT.repeat(depth)}`
  for (const [i, part] of parts.entries()) {
    const isEmpty = (part === '{' && parts[i + 1] === '}') || (part === '[' && parts[i + 1] === ']')
    if (part === '{' || part === '[') {
      depth++
      pretty += isEmpty ? part : part + line()
    } else if (part === '}' || part === ']') {
      depth--
      const wasEmpty = parts[i - 1] === '{' || parts[i - 1] === '['
      pretty += wasEmpty ? part : line() + part
    } else if (part === ',') pretty += part + line()
    else pretty += part === ':' ? ': ' : part
  }
  return pretty
}
