// All properties, by the part of the program that they test.

import type { Property } from './property.ts'
import { cursorProperties } from './src/cursor.ts'
import { columnProperties } from './storage/columns.ts'
import { captureProperties } from './workers/captures.ts'
import { messageProperties } from './workers/messages.ts'
import { orderBookProperties } from './workers/order-book.ts'

export const PROPERTIES: Readonly<Record<string, readonly Property[]>> = {
  cursor: cursorProperties,
  columns: columnProperties,
  'order book': orderBookProperties,
  messages: messageProperties,
  captures: captureProperties,
}
