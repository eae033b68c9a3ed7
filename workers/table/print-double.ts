// Doubles in the fewest digits that give them back.

/** Writes a finite double as JSON has numbers, in up to 25 bytes; returns where its text ends. */
export function printDouble(bytes: Uint8Array, at: number, value: number): number {
  const text = String(value)
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
  return at + text.length
}
