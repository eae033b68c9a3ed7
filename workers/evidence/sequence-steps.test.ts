// Numbers of a subscription that step back mean a new connection, whose subscriptions all begin again.

import { expect, test } from 'bun:test'
import { SequenceSteps } from './sequence-steps.ts'

const steps = (of: SequenceSteps, ...numbers: [sid: number, seq: number][]) =>
  numbers.map(([sid, seq]) => of.isStepBack(sid, seq))

test('each subscription counts on its own', () =>
  expect(steps(new SequenceSteps([]), [1, 5], [2, 1], [1, 6], [1, 6], [2, 2], [1, 5])).toEqual([
    ...[false, false, false, false, false, true],
  ]))

test('after one stepped back, the others begin again too', () =>
  expect(steps(new SequenceSteps([]), [1, 5], [2, 9], [1, 4], [2, 1], [1, 5])).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]))

test('records without numbers change nothing', () =>
  expect(steps(new SequenceSteps([]), [1, 5], [-1, 3], [1, -1], [1, 4])).toEqual([false, false, false, true]))

test('it continues from its state', () => {
  const before = new SequenceSteps([])
  steps(before, [1, 5], [2, 9], [1, 7])
  expect(before.state().sort()).toEqual([
    [1, 7],
    [2, 9],
  ])
  expect(steps(new SequenceSteps(before.state()), [1, 7], [2, 8])).toEqual([false, true])
  expect(new SequenceSteps([]).state()).toEqual([])
})
