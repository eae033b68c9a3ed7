// Parses the XML responses of an S3-compatible store: lists of objects, and error codes. Pure.

import type { ListedObject } from './objects.ts'

export type ListPage = {
  objects: ListedObject[]
  /** Token of the next page; null for the last page. */
  next: string | null
}

/** Parses a list; returns null if the text is not a complete list. */
export function parseList(xml: string): ListPage | null {
  if (!/<ListBucketResult[\s>]/.test(xml) || !/<\/ListBucketResult>\s*$/.test(xml)) return null
  const entries = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry]) => entry!)
  const head = xml.replace(/<Contents>.*<\/Contents>/s, '')
  const isEncoded = textOf(head, 'EncodingType') === 'url'
  const isTruncated = textOf(head, 'IsTruncated')
  const token = textOf(head, 'NextContinuationToken')
  if (isTruncated !== 'true' && isTruncated !== 'false') return null
  if (isTruncated === 'true' && !token) return null

  const objects = entries.map((entry) => parseEntry(entry, isEncoded))
  if (!objects.every((object) => object !== null)) return null
  return { objects, next: isTruncated === 'true' ? token! : null }
}

/** Returns a code such as NoSuchKey; '' if the text has none. Nothing else of an error response is passed on. */
export const parseErrorCode = (xml: string) => /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1] ?? ''

function parseEntry(entry: string, isEncoded: boolean): ListedObject | null {
  const name = textOf(entry, 'Key')
  const key = name !== null && isEncoded ? decodeUrl(name) : name
  const bytes = Number(textOf(entry, 'Size') || Number.NaN)
  const modifiedMs = Date.parse(textOf(entry, 'LastModified') ?? '')
  if (!key || !Number.isSafeInteger(bytes) || bytes < 0 || Number.isNaN(modifiedMs)) return null
  return { key, bytes, modifiedMs }
}

/** Returns the text of the first element with that name; null if there is none. */
function textOf(xml: string, element: string): string | null {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]
  return text === undefined ? null : decodeEntities(text)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string) =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (whole, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[name]!
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

/** Decodes `encoding-type=url`, in which a plus is a space. Returns null if the text is not encoded in this way. */
function decodeUrl(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
