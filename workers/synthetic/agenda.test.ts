// Appointments come in the order of their time.

import { expect, test } from 'bun:test'
import { Agenda } from './agenda.ts'

test('Agenda returns due appointments, the earliest first, and equal ones in the order of their addition', () => {
  const agenda = new Agenda()
  for (const [atUs, text] of [
    [30, 'c'],
    [10, 'a'],
    [20, 'b1'],
    [20, 'b2'],
  ] as const)
    agenda.add(atUs, () => [text])
  const due = (atUs: number) => {
    const texts: string[] = []
    for (let item = agenda.takeDue(atUs); item !== undefined; item = agenda.takeDue(atUs)) texts.push(...item.lines())
    return texts
  }
  expect(due(9)).toEqual([])
  expect(due(20)).toEqual(['a', 'b1', 'b2'])
  expect(due(100)).toEqual(['c'])
})
