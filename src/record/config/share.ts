// Divides markets among several recorders: each takes a fixed share, chosen by the hash of the market id. Pure.

/** "2/3", the second of three recorders: `number` is 2, `count` is 3. */
export type Share = Readonly<{ number: number; count: number }>

/** Parses a share. Returns undefined if the text is not one. */
export function shareOf(text: string): Share | undefined {
  const [number = 0, count = 0] = text.split('/').map(Number)
  return number >= 1 && number <= count ? { number, count } : undefined
}

/** Whether a market belongs to the share: the first 8 bytes of the SHA-256 of its id in UTF-8, read as an unsigned
 *  big-endian integer, modulo `count` are `number` - 1. A token whose market is unknown is hashed by its own id. */
export function isOfShare(
  { market, books }: { market: string | null; books: readonly string[] },
  { number, count }: Share,
): boolean {
  const hash = new Bun.CryptoHasher('sha256').update(market ?? books[0]!).digest()
  return hash.readBigUInt64BE() % BigInt(count) === BigInt(number - 1)
}
