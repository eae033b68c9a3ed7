// Reads a numpy file: the zip by its directory, the array by its header. Written from the descriptions of both formats.

import { inflateRawSync } from 'node:zlib'

/** A row. Integers of 64 bits are bigints. */
export type NpzRow = Record<string, bigint | number>

const HEADER = /^\{'descr': \[(.*)\], 'fortran_order': False, 'shape': \((\d+),\), \} *\n$/

export function readNpz(file: Buffer, name = 'data'): NpzRow[] {
  const array = entryOf(file, `${name}.npy`)
  if (array.subarray(0, 8).toString('latin1') !== '\x93NUMPY\x01\x00') throw new Error('no array of numpy')
  const headerEnd = 10 + array.readUInt16LE(8)
  if (headerEnd % 64 !== 0) throw new Error('the array is not aligned')
  const header = HEADER.exec(array.subarray(10, headerEnd).toString())
  if (header === null) throw new Error(`no header: ${array.subarray(10, headerEnd)}`)
  const fields = [...header[1]!.matchAll(/\('(\w+)', '<([uif])8'\)/g)].map(
    ([, field, type]) => [field!, type!] as const,
  )
  const rowBytes = 8 * fields.length
  const rowCount = Number(header[2])
  if (array.length !== headerEnd + rowCount * rowBytes) throw new Error('the array is not as long as it says')
  return Array.from({ length: rowCount }, (_, row) => {
    const values = fields.map(([field, type], i) => {
      const at = headerEnd + row * rowBytes + 8 * i
      if (type === 'f') return [field, array.readDoubleLE(at)] as const
      return [field, type === 'u' ? array.readBigUInt64LE(at) : array.readBigInt64LE(at)] as const
    })
    return Object.fromEntries(values)
  })
}

/** Returns the only file of a zip. Checks it against the three descriptions of the file in the zip. */
function entryOf(file: Buffer, name: string): Buffer {
  const end = file.length - 22
  if (file.readUInt32LE(end) !== 0x06054b50 || file.readUInt16LE(end + 10) !== 1) throw new Error('no zip of one file')
  const at = file.readUInt32LE(end + 16)
  if (file.readUInt32LE(at) !== 0x02014b50 || at + file.readUInt32LE(end + 12) !== end) throw new Error('no directory')
  const [crc, packed, plain] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset)) as [number, number, number]
  const nameBytes = file.readUInt16LE(at + 28)
  if (file.subarray(at + 46, at + 46 + nameBytes).toString() !== name) throw new Error(`${name} is not there`)
  const local = file.readUInt32LE(at + 42)
  if (file.readUInt32LE(local) !== 0x04034b50) throw new Error('no local header')
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  const bytes = inflateRawSync(file.subarray(start, start + packed))
  if (bytes.length !== plain || Bun.hash.crc32(bytes) !== crc) throw new Error('the file is not what it says')
  const descriptor = start + packed
  const stated = [0, 4, 8, 12].map((offset) => file.readUInt32LE(descriptor + offset))
  if (stated.join() !== [0x08074b50, crc, packed, plain].join()) throw new Error('sizes behind the file are others')
  return bytes
}
