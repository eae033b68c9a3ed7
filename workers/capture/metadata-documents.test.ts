// Documents come back unchanged, in batches of some megabytes, and each document only once.

import { expect, test } from 'bun:test'
import { documentsIn, MetadataDocuments } from './metadata-documents.ts'

test('batches in order', () => {
  const documents = new MetadataDocuments()
  expect(documents.take()).toEqual([])
  const all = Array.from({ length: 5 }, (_, i) => ({ i, text: '\uFEFFé', big: 'x'.repeat(100) }))
  for (const document of all) documents.add(document, 2 << 20)
  const batches = documents.take()
  expect(batches.map((batch) => documentsIn(batch).length)).toEqual([2, 2, 1])
  expect(batches.flatMap(documentsIn)).toEqual(all)
  expect(documents.take()).toEqual([])
  documents.add(7, 1)
  expect(documents.take().map(documentsIn)).toEqual([[7]])
})
