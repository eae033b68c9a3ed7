// Damage of the store's file: whatever changed in it, each answer is that of the undamaged store, or a failure that
// names what is damaged; the process lives, and verify finds what any answer failed of.

import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { storeFile } from '../../../storage/lmdb/environment.ts'
import { openStore } from '../../../storage/open-store.ts'
import { loadCapture } from '../../../workers/load/load-capture.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import type { Round, TortureTopic, Victim } from '../topic.ts'
import { damagedServer } from './damage/damaged-server.ts'
import { inflict } from './damage/inflict.ts'
import { type Answer, askEverything, type Question, questionsOf, type Testimony } from './damage/questions.ts'
import { Witness } from './damage/witness-process.ts'

const DATES = ['2026-07-18', '2026-07-19', '2026-07-20']
/** A server takes a second to start. */
const WHEN = [...Array(8).fill('before opening'), ...Array(8).fill('while open'), 'under a server'] as const
const BLOCK = 4_096
const NAMED = ['block_corrupt', 'store_unavailable']

export const topic: TortureTopic = {
  title: "bits, bytes and pages of the store's file changed, and the file cut: before it is opened, and while it is",
  smokeRounds: 40,
  smokeTally: [
    'stores that were not opened',
    'stores with answers and failures',
    ...['before opening', 'while open'].flatMap((when) => [
      `answers as they were, damaged ${when}`,
      `failures, damaged ${when}`,
    ]),
    'answers of servers as they were',
  ],
  async prepare({ folder }): Promise<Victim> {
    const source = join(folder, 'sound')
    const { older, slugs } = await makeStore(source)
    const store = openStore(source)
    const questions = questionsOf(store, slugs)
    await store.close()
    const sound = readFileSync(storeFile(source))
    const questionsFile = join(folder, 'questions.json')
    writeFileSync(questionsFile, JSON.stringify(questions))
    const expected = await askEverything(source, questions)
    assert.deepEqual(expected.damage, [])
    const witness = new Witness(questionsFile)
    let number = 0
    return {
      async round({ random, tally }) {
        const data = join(folder, `damaged-${number++}`)
        const when = random.pick(WHEN)
        const { bytes, kind } = inflict(sound, older, random)
        mkdirSync(join(data, 'store'), { recursive: true })
        const write = () => writeOver(storeFile(data), bytes)
        writeFileSync(storeFile(data), sound)
        tally.add(`damage ${when}: ${kind}`)
        if (when === 'under a server') await damagedServer(data, write, questions, tally)
        else if (when === 'while open') judge(await witness.askWhileOpen(data, write), expected, questions, tally, when)
        else {
          write()
          judge(await witness.ask(data), expected, questions, tally, when)
        }
        rmSync(data, { recursive: true })
      },
      close: () => witness.close(),
    }
  },
}

/** Several transactions, so that the file has free pages, and old pages between new ones. */
async function makeStore(folder: string): Promise<{ older: Buffer; slugs: string[] }> {
  mkdirSync(folder, { recursive: true })
  const store = openStore(folder)
  let older = Buffer.alloc(0)
  const slugs: string[] = []
  for (const date of DATES) {
    const day = syntheticDay({ date, kalshiRecords: 400, polymarketRecords: 300 })
    slugs.push(day.slug)
    const captures = {
      kalshi: day.kalshiLines,
      polymarket: day.polymarketLines,
      event: [JSON.stringify(day.gammaEvent)],
    }
    for (const [name, lines] of Object.entries(captures)) {
      const path = join(folder, `${name}.ndjson`)
      await Bun.write(path, [...lines].map((line) => `${line}\n`).join(''))
      store.refresh()
      await loadCapture(store, folder, path, () => undefined)
    }
    await store.flushed()
    copyFileSync(storeFile(folder), join(folder, 'copy'))
    if (date !== DATES.at(-1)) older = readFileSync(join(folder, 'copy'))
  }
  await store.close()
  return { older, slugs }
}

/** Only what differs, into the same file. */
function writeOver(path: string, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  try {
    const before = readFileSync(path)
    for (let at = 0; at < Math.min(bytes.length, before.length); at += BLOCK) {
      const block = bytes.subarray(at, at + BLOCK)
      if (!block.equals(before.subarray(at, at + block.length))) writeSync(file, block, 0, block.length, at)
    }
    if (bytes.length < before.length) ftruncateSync(file, bytes.length)
  } finally {
    closeSync(file)
  }
}

function judge(seen: Testimony, expected: Testimony, questions: Question[], tally: Round['tally'], when: string): void {
  const { opening, answers, damage } = seen
  assert(!('bug' in opening), `opening: ${JSON.stringify(opening)}`)
  if ('code' in opening) {
    assert.equal(opening.code, 'store_unavailable')
    assert.match(opening.message, /data\.mdb|store/i)
    tally.add('stores that were not opened')
    return
  }
  for (const what of damage) assert(!what.startsWith('bug'), what)
  let failures = 0
  answers.forEach((answer, i) => {
    if ('answer' in answer) {
      assert.deepEqual([questions[i], answer], [questions[i], expected.answers[i]])
      return
    }
    assertNamed(answer, questions[i]!)
    failures++
  })
  tally.add(`failures, damaged ${when}`, failures)
  tally.add(`answers as they were, damaged ${when}`, answers.length - failures)
  assert(failures === 0 || damage.length > 0, `verify finds nothing, and ${failures} answers failed`)
  if (failures === 0) tally.add(damage.length > 0 ? 'stores that only verify finds damaged' : 'stores without a trace')
  else tally.add(failures < answers.length ? 'stores with answers and failures' : 'stores with failures alone')
}

function assertNamed(answer: Exclude<Answer, { answer: string }>, question: Question): void {
  assert(!('bug' in answer), `${JSON.stringify(question)}: ${'bug' in answer && answer.bug}`)
  assert(NAMED.includes(answer.code), `${JSON.stringify(question)}: ${answer.code} ${answer.message}`)
  // Without its roots nothing is asked of the file, whoever is concerned.
  if (answer.code === 'store_unavailable') return assert.match(answer.message, /data\.mdb is damaged: page/)
  // Of all markets alike: how many there are.
  if (answer.message.startsWith('The stored index (meta) of ')) return
  const name = 'market' in question ? question.market : 'slug' in question ? question.slug : question.venue
  assert(answer.message.includes(name), `${JSON.stringify(question)}: ${answer.message}`)
}
