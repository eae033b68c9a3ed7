// Damages the store's file before it is opened. There are three allowed outcomes. The store cannot be opened. `verify`
// refuses it or crashes. Or each answer equals that of the undamaged store, or is an error that names the damage. If an
// answer fails or a process crashes, `verify` finds the damage.

import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeFile } from '../../../storage/lmdb/environment.ts'
import { openStore } from '../../../storage/open-store.ts'
import { loadCapture } from '../../../workers/load/load-capture.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import type { Round, TortureTopic, Victim } from '../topic.ts'
import { inflict } from './damage/inflict.ts'
import { type Answer, askEverything, type Question, questionsOf, type StoreAnswers } from './damage/questions.ts'
import { type Crash, Witness } from './damage/witness-process.ts'

const DATES = ['2026-07-18', '2026-07-19', '2026-07-20']

export const topic: TortureTopic = {
  title: "bits, bytes and pages of the store's file changed, and the file cut",
  smokeRounds: 20,
  smokeTally: [
    'stores that were not opened',
    'stores with answers and failures',
    'stores that verify refuses',
    'answers as they were',
    'failures',
  ],
  async prepare({ folder }): Promise<Victim> {
    const source = join(folder, 'sound')
    const { older, slugs } = await makeStore(source)
    const store = openStore(source)
    const questions = await questionsOf(store, slugs)
    await store.close()
    const sound = readFileSync(storeFile(source))
    const questionsFile = join(folder, 'questions.json')
    writeFileSync(questionsFile, JSON.stringify(questions))
    const expected = await askEverything(source, questions)
    assert.deepEqual([...expected.damage, ...expected.storeDamage], [])
    const witness = new Witness(questionsFile)
    let number = 0
    return {
      async round({ random, tally }) {
        const data = join(folder, `damaged-${number++}`)
        const { bytes, kind } = inflict(sound, older, random)
        mkdirSync(join(data, 'store'), { recursive: true })
        writeFileSync(storeFile(data), bytes)
        tally.add(`damage: ${kind}`)
        judge(await witness.ask(data), expected, questions, tally)
        rmSync(data, { recursive: true })
      },
      close: () => witness.close(),
    }
  },
}

/** Writes several transactions, so that the file has free pages, and old pages between new ones. */
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

function judge(seen: StoreAnswers | Crash, expected: StoreAnswers, questions: Question[], tally: Round['tally']): void {
  if ('signal' in seen) {
    assert(seen.damage?.length !== 0, `verify finds nothing, and answering ends with ${seen.signal}`)
    return tally.add(`stores that ${seen.damage === null ? 'verifying' : 'answering'} crashed of`)
  }
  const { opening, answers, damage, storeDamage } = seen
  assert(!('bug' in opening), `opening: ${JSON.stringify(opening)}`)
  if ('code' in opening) {
    assert.equal(opening.code, 'store_unavailable')
    assert.match(opening.message, /data\.mdb|store/i)
    tally.add('stores that were not opened')
    return
  }
  if (storeDamage.length > 0) return tally.add('stores that verify refuses')
  let failures = 0
  answers.forEach((answer, i) => {
    if ('answer' in answer) {
      assert.deepEqual([questions[i], answer], [questions[i], expected.answers[i]])
      return
    }
    assertNamed(answer, questions[i]!)
    failures++
  })
  tally.add('failures', failures)
  tally.add('answers as they were', answers.length - failures)
  assert(failures === 0 || damage.length > 0, `verify finds nothing, and ${failures} answers failed`)
  if (failures === 0) tally.add(damage.length > 0 ? 'stores that only verify finds damaged' : 'stores without a trace')
  else tally.add(failures < answers.length ? 'stores with answers and failures' : 'stores with failures alone')
}

function assertNamed(answer: Exclude<Answer, { answer: string }>, question: Question): void {
  assert(!('bug' in answer), `${JSON.stringify(question)}: ${'bug' in answer && answer.bug}`)
  assert(answer.code === 'block_corrupt', `${JSON.stringify(question)}: ${answer.code} ${answer.message}`)
  const name = 'market' in question ? question.market : 'slug' in question ? question.slug : question.venue
  assert(answer.message.includes(name), `${JSON.stringify(question)}: ${answer.message}`)
}
