// Reads a message that an envelope holds as text: removes the JSON escapes, and stores the bytes in a reused array.

const ESCAPED = new Uint8Array(256)
for (const [letter, unescaped] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  ESCAPED[letter!.charCodeAt(0)] = unescaped!.charCodeAt(0)
}

export class QuotedBody {
  bytes = new Uint8Array(1 << 16)
  /** Length without trailing white space. */
  length = 0

  /** Reads the string whose first character is at `start` and returns the position of its closing quote. Returns -1 if
   *  there is none before `end`, or if the string has something rare in a message: a \u escape, or a control character
   *  that JSON requires to be escaped. */
  read(from: Uint8Array, start: number, end: number): number {
    // The text is never longer without its escapes.
    if (end - start > this.bytes.length) this.bytes = new Uint8Array(2 * (end - start))
    const { bytes } = this
    let length = 0
    for (let at = start; at < end; at++) {
      let byte = from[at]!
      if (byte === 0x22) {
        this.length = trimmedLength(bytes, length)
        return at
      }
      if (byte < 0x20) return -1
      if (byte === 0x5c) {
        byte = ESCAPED[from[++at]!]!
        if (byte === 0) return -1
      }
      bytes[length++] = byte
    }
    return -1
  }
}

function trimmedLength(bytes: Uint8Array, length: number): number {
  let end = length
  while (end > 0 && (bytes[end - 1] === 0x20 || (bytes[end - 1]! >= 0x09 && bytes[end - 1]! <= 0x0d))) end--
  return end
}
