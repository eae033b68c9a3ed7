// Checks whether a part of a URL is percent-encoded UTF-8. The framework uses other text undecoded, or drops it.

export const ENCODING_ACCEPTED = 'percent-encoded UTF-8'

export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
