// Constant texts as 64-bit words, so that they are copied eight bytes at a time. The words are doubles, because other
// 64-bit values cannot be moved without creating an object. ASCII bytes never form a NaN.

/** ASCII text with zeros after its end. Writing it needs room up to the next multiple of eight bytes. */
export type WordText = { words: Float64Array; length: number }

const WORD_BYTES = 8

export function wordText(text: string): WordText {
  const bytes = new Uint8Array(WORD_BYTES * Math.ceil(text.length / WORD_BYTES))
  const { read, written } = new TextEncoder().encodeInto(text, bytes)
  if (read !== text.length || written !== text.length) throw new RangeError(`not ASCII: ${text}`)
  const view = new DataView(bytes.buffer)
  const words = Float64Array.from({ length: bytes.length / WORD_BYTES }, (_, i) =>
    view.getFloat64(WORD_BYTES * i, true),
  )
  return { words, length: text.length }
}

/** Writes a text and returns where it ends. Overwrites the bytes after the end up to a whole word; the next text
 *  overwrites them again. */
export function putText(view: DataView, at: number, { words, length }: WordText): number {
  for (let i = 0; i < words.length; i++) view.setFloat64(at + WORD_BYTES * i, words[i]!, true)
  return at + length
}
