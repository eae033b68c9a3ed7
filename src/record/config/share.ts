// Which markets a recorder takes where several share them: a fixed share, by the id of the market. Pure.

/** "2/3", the second of three recorders: `number` is 2, `count` is 3. */
export type Share = Readonly<{ number: number; count: number }>

/** Undefined for a text that is no share. */
export function shareOf(text: string): Share | undefined {
  const [number = 0, count = 0] = text.split('/').map(Number)
  return number >= 1 && number <= count ? { number, count } : undefined
}

/** Whether the first 8 bytes of the SHA-256 of the market's id in UTF-8, as an unsigned big-endian integer, divided by
 *  `count` leave `number` - 1. A token whose market is not known counts by its own id. */
export function isOfShare(
  { market, books }: { market: string | null; books: readonly string[] },
  { number, count }: Share,
): boolean {
  const hash = new Bun.CryptoHasher('sha256').update(market ?? books[0]!).digest()
  return hash.readBigUInt64BE() % BigInt(count) === BigInt(number - 1)
}
