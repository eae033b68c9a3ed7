// Evidence is noted only if it changes a book, at most once per ms. A switch is always noted.

import { expect, test } from 'bun:test'
import type { BookEntry } from '../../storage/format/partition-head.ts'
import { firstTrust, noteEvidence, noteSwitch } from './trust-changes.ts'

type Entry = Pick<BookEntry, 'trust' | 'startsFrom'>

test('the first trust of a book depends on what the book starts from', () => {
  const of = (startsFrom: Entry['startsFrom']) => firstTrust({ startsFrom })
  expect([of('snapshot'), of('opening_book'), of('neither')]).toEqual(['established', 'established', 'observed'])
})

test('notes of a day', () => {
  const entry: Entry = { startsFrom: 'neither' }
  noteEvidence(entry, 5, 'record')
  expect(entry).toEqual({ startsFrom: 'neither' })
  noteEvidence(entry, 10, 'agreeingHash')
  noteEvidence(entry, 20, 'record')
  noteEvidence(entry, 30, 'gap')
  noteEvidence(entry, 40, 'agreeingHash')
  noteEvidence(entry, 50, 'snapshot')
  expect(entry.trust).toEqual([
    [10, 'established'],
    [30, 'lost'],
    [50, 'established'],
  ])
})

test('of one ms the last change counts, and a change that it undoes is not noted', () => {
  const entry: Entry = {
    startsFrom: 'snapshot',
    trust: [
      [0, 'doubtful'],
      [10, 'established'],
    ],
  }
  noteEvidence(entry, 20, 'gap')
  noteEvidence(entry, 20, 'snapshot')
  expect(entry.trust).toEqual([
    [0, 'doubtful'],
    [10, 'established'],
  ])
  noteEvidence(entry, 10, 'gap')
  expect(entry.trust).toEqual([
    [0, 'doubtful'],
    [10, 'lost'],
  ])
})

test('a switch is noted even if nothing changes, once for each ms', () => {
  const entry: Entry = { startsFrom: 'snapshot' }
  noteSwitch(entry, 10, 'established')
  noteSwitch(entry, 20, 'unknown')
  noteSwitch(entry, 20, 'observed')
  expect(entry.trust).toEqual([
    [10, 'established'],
    [20, 'observed'],
  ])
})
