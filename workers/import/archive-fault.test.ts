// The error for a refused file names the file and gives the reason.

import { expect, test } from 'bun:test'
import { RefusedCapture } from '../venues/refused-capture.ts'
import { ArchiveFault, asArchiveFault } from './archive-fault.ts'

test('its message begins with the file', () => {
  const fault = new ArchiveFault('a.csv', 'is empty')
  expect([fault.message, fault.file, fault.name]).toEqual(['a.csv is empty', 'a.csv', 'ArchiveFault'])
})

test('a refusal of the loader is a fault of the file, any other error is not', async () => {
  expect(await asArchiveFault('a.csv', Promise.resolve(7))).toBe(7)
  const refused = asArchiveFault('a.csv', Promise.reject(new RefusedCapture('the clock is wrong')))
  await expect(refused).rejects.toThrow(new ArchiveFault('a.csv', 'cannot be loaded: the clock is wrong'))
  const bug = new TypeError('x')
  await expect(asArchiveFault('a.csv', Promise.reject(bug))).rejects.toBe(bug)
})
