// Whether a part of an address is percent-encoded UTF-8. What is not, the framework takes as it stands or drops.

export const ENCODING_ACCEPTED = 'percent-encoded UTF-8'

export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
