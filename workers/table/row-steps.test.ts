// Writing a row is compiled into steps: what is equal in every row becomes part of the text before a value.

import { expect, test } from 'bun:test'
import { FIXED, LIST, MIXED, NOTHING, NULLABLE, type Step, StepList, TEXT, TRIMMED } from './row-steps.ts'

const literalOf = ({ literal, literalLength }: Step) => Buffer.from(literal.buffer, 0, literalLength).toString()
const stepsOf = (list: StepList) => list.finish().map((step) => [literalOf(step), step.kind])
const texts = (words: string[], ...indexes: number[]) => {
  const bytes = words.map((word) => Buffer.from(word))
  const offsets = Uint32Array.from([0, ...bytes.map((_, i) => Buffer.concat(bytes.slice(0, i + 1)).length)])
  return {
    arena: new Uint8Array(Buffer.concat(bytes)),
    offsets,
    wordCount: words.length,
    indexes: Float64Array.from(indexes),
  }
}

test('texts are joined up to the next value', () => {
  const list = new StepList().text('{"a":').text('"é",').integers(Float64Array.of(1, 2)).text('}')
  expect(stepsOf(list)).toEqual([
    ['{"a":"é",', FIXED],
    ['}', NOTHING],
  ])
  expect(stepsOf(new StepList().integers(Float64Array.of(1)))).toEqual([['', FIXED]])
})

test('a number that may be null is a text if it is the same in every row', () => {
  const of = (values: Float64Array | undefined) => stepsOf(new StepList().text('n').nullable(values))
  expect(of(undefined)).toEqual([['nnull', NOTHING]])
  expect(of(Float64Array.of(-1, -1))).toEqual([['nnull', NOTHING]])
  expect(of(Float64Array.of(7, 7))).toEqual([['n7', NOTHING]])
  expect(of(Float64Array.of(7, -1))).toEqual([['n', NULLABLE]])
  expect(of(new Float64Array(0))).toEqual([['n', NULLABLE]])
})

test('so is a word, if it is ASCII', () => {
  const of = (...args: Parameters<typeof texts>) => stepsOf(new StepList().text('t').words(texts(...args)))
  expect(of(['yes'], 0, 0)).toEqual([['tyes', NOTHING]])
  expect(of(['no', 'yes'], 1, 1)).toEqual([['tyes', NOTHING]])
  expect(of(['no', 'yes'], 1, 0)).toEqual([['t', TEXT]])
  expect(of(['é'], 0, 0)).toEqual([['t', TEXT]])
})

test('parts of a message: slots by their style, lists with steps of their own', () => {
  const decimal = (style: string) =>
    ({ form: 'decimal', style, scale: 2, values: Float64Array.of(1, 2), places: Float64Array.of(1, 2) }) as never
  const slots = [decimal('fixed'), decimal('trimmed'), decimal('mixed')]
  const parts = ['[', { slot: 0 }, ',', { slot: 1 }, ',[', { list: 0, element: ['<', { slot: 2 }, '>'] }, ']]']
  const steps = new StepList().parts(parts, { slots, listStarts: [Float64Array.of(0, 1, 2)] }).finish()
  expect(steps.map((step) => [literalOf(step), step.kind])).toEqual([
    ['[', FIXED],
    [',', TRIMMED],
    [',[', LIST],
    [']]', NOTHING],
  ])
  expect(steps[2]!.element.map((step) => [literalOf(step), step.kind])).toEqual([
    ['<', MIXED],
    ['>', NOTHING],
  ])
})
