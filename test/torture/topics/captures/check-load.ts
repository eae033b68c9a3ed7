// What must hold after loading a capture, whatever it contains. Each line is stored, skipped or rejected, as the slow
// model says. The reject file has the bytes of rejected lines. The store is sound. Loading the capture again changes
// nothing.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { FileReport } from '../../../../workers/load/load-capture.ts'
import type { Random } from '../../../../workers/synthetic/random.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'
import { loadTexts } from '../../../model/model.ts'
import type { TestStore } from '../../../support/store.ts'
import { expectSameRecords, expectSameSummary } from '../../../workers/load/model-comparison.ts'
import type { Tally } from '../../topic.ts'

const SUMMARIES = 4

/** Checks a load. `text` is the complete content of the file. */
export async function checkLoad(store: TestStore, path: string, text: Uint8Array, random: Random, tally: Tally) {
  const nowMs = Date.now()
  const report = (await store.load(path))[0]!
  assert.equal(report.error, null)
  const lines = splitLines(text)
  assert.equal(report.lines, lines.length, 'every line is counted')
  const rejects = readRejects(report)
  for (const { line, bytes, reason } of rejects) {
    assert(holds(lines[line - 1]!, bytes), `line ${line} does not hold what was rejected of it (${reason}): ${bytes}`)
  }

  const model = loadTexts([lines.map(readableLine).join('\n')], nowMs)
  for (const [number, line] of lines.entries()) checkRejectsOf(number + 1, line, rejects, model.rejects)
  const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0) + report.documents
  assert.equal(skipped, model.skippedCount, 'the model skips as much')
  const books = await expectSameRecords(store, model)
  for (let i = 0; i < SUMMARIES && books.length > 0; i++) await expectSameSummary(store, model, books, random)
  if (books.length > 0) tally.add('summaries compared', SUMMARIES)
  tally.add('lines', lines.length)
  tally.add('records', report.records)
  tally.add('rejects', rejects.length)
  await checkSound(store)
  await checkAgain(store, path)
}

/** Checks the load of a file with damaged compression. Any of its lines may be stored. The store must be
 *  sound. */
export async function checkBroken(store: TestStore, path: string, tally: Tally): Promise<void> {
  const report = (await store.load(path))[0]!
  readRejects(report)
  if (report.error !== null) assert(report.error.includes(path), 'a file that cannot be read is named')
  tally.add('files cut off or damaged')
  tally.add('records', report.records)
  await checkSound(store)
  await checkAgain(store, path)
}

export async function checkSound(store: TestStore): Promise<void> {
  assert.deepEqual((await verifyStore(store.store, () => {})).damage, [], 'verify finds no damage')
}

/** Expects that a second load reports the same as the first, and changes nothing. */
export async function checkAgain(store: TestStore, path: string): Promise<void> {
  const again = (await store.load(path))[0]!
  assert.deepEqual([again.recordsAdded, again.partitionsChanged], [0, 0], 'a second load changes nothing')
}

/** Returns whether the line contains the part, either as it is or inside a string of its JSON. */
function holds(line: Buffer, part: Buffer): boolean {
  if (line.includes(part)) return true
  const texts = line.toString().match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return texts.some((text) => Buffer.from(JSON.parse(text)).includes(part))
}

type LineReject = { line: number; reason: string }

/** Expects that the program and the model reject the same parts of a line. */
function checkRejectsOf(number: number, line: Buffer, actual: LineReject[], expected: LineReject[]): void {
  const reasons = (rejects: LineReject[]) =>
    rejects.filter((reject) => reject.line === number).map(({ reason }) => reason)
  const [ours, models] = [reasons(actual), reasons(expected)]
  const listed = (all: string[]) => (all.length === 0 ? 'nothing' : all.join('; '))
  assert.equal(
    ours.length,
    models.length,
    `of line ${number} the program rejects ${listed(ours)}, the model ${listed(models)}: ${line.toString().slice(0, 2_000)}`,
  )
}

/** Returns the lines as bytes, as a reject has them: without line ends, and without the byte order mark of the first
 *  line. */
function splitLines(text: Uint8Array): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf(0x0a, start)
    const end = found < 0 ? text.length : found
    const last = end > start && text[end - 1] === 0x0d ? end - 1 : end
    lines.push(Buffer.from(text.subarray(start, last)))
    start = end + 1
  }
  return lines
}

const NOT_UTF8 = 'bytes that are no text'

/** Returns the line as text for the model. If the bytes are not valid text, returns a line that is not JSON, which the
 *  model rejects. */
function readableLine(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return NOT_UTF8
  }
}

export type StoredReject = { line: number; reason: string; bytes: Buffer }

export function readRejects({ rejectFile, rejected }: FileReport): StoredReject[] {
  const rejectLines = rejectFile === null ? [] : readFileSync(rejectFile, 'utf8').trimEnd().split('\n')
  assert.equal(rejectLines.length, rejected, 'every reject is in the reject file')
  return rejectLines.map((line) => {
    const { text, base64, ...reject } = JSON.parse(line)
    return { ...reject, bytes: base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64') }
  })
}
