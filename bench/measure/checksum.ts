// Returns a short checksum: equal answers have equal checksums.

export function checksum(...parts: (Uint8Array | string)[]): string {
  let hash = 0n
  for (const part of parts) hash = Bun.hash.xxHash64(part, hash)
  return hash.toString(16).padStart(16, '0')
}
