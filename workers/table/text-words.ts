// Constant texts as 64-bit words, to be copied eight bytes at a time. The words are held as floats, since those are the
// only 64-bit values that are moved without making an object; the bytes of ASCII are never those of a NaN.

/** ASCII, zeros after its end. Whoever writes it needs room up to the next multiple of eight. */
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

/** Returns where the text ends; what is beyond, up to a whole word, is for the next text to overwrite. */
export function putText(view: DataView, at: number, { words, length }: WordText): number {
  for (let i = 0; i < words.length; i++) view.setFloat64(at + WORD_BYTES * i, words[i]!, true)
  return at + length
}
