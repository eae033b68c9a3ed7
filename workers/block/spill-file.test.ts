// Spilled bytes come back from a file without a name.

import { expect, test } from 'bun:test'
import { closeSync, readdirSync } from 'node:fs'
import { temporaryFolder } from '../../test/support/server.ts'
import { readSpilled, SpillFile } from './spill-file.ts'

test('each piece comes back, in any order, and the folder stays empty', () => {
  using temporary = temporaryFolder()
  const folder = temporary.path
  const spill = new SpillFile(folder)
  expect(spill.release()).toBeUndefined()
  const pieces = [3, 0, 5_000].map((length, i) => new Uint8Array(length).fill(i + 1))
  const places = pieces.map((piece) => spill.write(piece))
  expect(places.map(({ offset, length }) => [offset, length])).toEqual([
    [0, 3],
    [3, 0],
    [3, 5_000],
  ])
  for (const [i, place] of [...places.entries()].reverse()) expect(readSpilled(place)).toEqual(pieces[i]!)
  expect(readdirSync(folder)).toEqual([])
  const file = spill.release()!
  expect(spill.write(new Uint8Array([9]))).toMatchObject({ offset: 0, length: 1 })
  expect(readSpilled(places[2]!)).toEqual(pieces[2]!)
  const beyond = { file, offset: 5_000, length: 4 }
  expect(() => readSpilled(beyond)).toThrow('the temporary file of this load is shorter than what was written to it')
  for (const open of [file, spill.release()!]) closeSync(open)
})

test('a folder that does not exist is a failure', () =>
  expect(() => new SpillFile('/nowhere/at/all').write(new Uint8Array(1))).toThrow('ENOENT'))
