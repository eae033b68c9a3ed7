// The settings of record.toml above its sections, and the settings that the sections of all venues have. Also decides
// which markets belong to a share.

import { Type } from '@sinclair/typebox'
import { decimal, optionalText, whole, yesOrNo } from '../../config/setting-kinds.ts'

const NAME = {
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$',
  accepts: 'up to 32 small letters, digits and hyphens',
  unlessGiven: null,
}

export const RECORDER_SETTINGS = Type.Object({
  recorder_id: optionalText({
    ...NAME,
    otherwise: 'the name of this machine',
    description: 'name of this recorder, in the names of its segments; two recorders must differ in it',
  }),
  share: optionalText({
    pattern: '^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$',
    isAccepted: (given) => shareOf(given) !== undefined,
    accepts: 'a share such as "2/3", the second of three',
    unlessGiven: null,
    otherwise: 'all markets',
    description: 'the share of the selected markets that this recorder takes, if several share them',
  }),
  commit_seconds: decimal({
    minimum: 0.1,
    maximum: 600,
    unlessGiven: 5,
    description: 'how often what was received is committed to the store',
  }),
  retention_days: whole({
    minimum: 0,
    maximum: 36_500,
    unlessGiven: 30,
    description: 'days that loaded segments are kept, from their date on; 0 keeps them for ever',
  }),
  disk_free_mb: whole({
    minimum: 0,
    maximum: 1_000_000_000,
    unlessGiven: 1_024,
    description: 'free room on the disk below which no new markets are taken',
  }),
  replay_times: yesOrNo({
    unlessGiven: true,
    description: 'record messages of a replay at their original times; false records them as of now, as from a venue',
  }),
})

/** Whether a text is empty, or a URL without a user name and password. A password in a URL would be shown together
 *  with the URL. */
function isAddress(text: string): boolean {
  if (text === '') return true
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username + password === ''
}

export const SOCKET_ADDRESS = {
  pattern: '^wss?://[^\\s#]+$',
  isAccepted: isAddress,
  accepts: 'a ws or wss address without a user name or "#"',
}
/** The address of an HTTP server, to which paths are appended; an empty text for no server. */
export const HTTP_ADDRESS = {
  pattern: '^(https?://[^\\s?#]+)?$',
  isAccepted: isAddress,
  accepts: 'an http or https address without a user name, "?" or "#", or "" for none',
  unlessGiven: null,
  otherwise: "the venue's own, or none if ws_url names another server",
}
/** `unit` names what a connection subscribes to: tokens or tickers. */
export const connectionSettings = (unit: string, connectionsMax: number) => ({
  per_connection: whole({ minimum: 1, maximum: 5_000, unlessGiven: 200, description: `${unit} on a connection` }),
  connections_max: whole({
    minimum: 1,
    maximum: 10_000,
    unlessGiven: connectionsMax,
    description: 'connections; what does not fit is not recorded, and the status says so',
  }),
  audits_per_second: decimal({
    minimum: 0,
    maximum: 1_000,
    unlessGiven: 1,
    description: 'books that are compared with those of REST, a second; 0 compares none',
  }),
})

/** A recorder's share of the markets. For "2/3", the share of the second of three recorders, `number` is 2 and `count`
 *  is 3. */
export type Share = Readonly<{ number: number; count: number }>

/** Parses a share such as "2/3". Returns undefined if the text is invalid. */
export function shareOf(text: string): Share | undefined {
  const [number = 0, count = 0] = text.split('/').map(Number)
  return number >= 1 && number <= count ? { number, count } : undefined
}

/** Whether a market belongs to the share: hash modulo `count` is `number` - 1. The hash is the first 8 bytes of the
 *  SHA-256 of the market id in UTF-8 (without a market, of the token) as an unsigned big-endian integer. */
export function isOfShare(
  { market, books }: { market: string | null; books: readonly string[] },
  { number, count }: Share,
): boolean {
  const hash = new Bun.CryptoHasher('sha256').update(market ?? books[0]!).digest()
  return hash.readBigUInt64BE() % BigInt(count) === BigInt(number - 1)
}
