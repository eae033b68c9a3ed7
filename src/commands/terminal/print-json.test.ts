// Tests reports as one line of JSON, with public names.

import { expect, test } from 'bun:test'
import { written } from '../../../test/support/programs/made-terminal.ts'
import { printJson, printReport } from './print-json.ts'

test('keys are in snake case at every depth, and values stay', () => {
  const report = { recordsAdded: 1, files: [{ fileName: 'aB', isNew: true, end: null }], byID: { aToB: 'xY' } }
  expect(written(() => printReport(report)).stdout).toBe(
    '{"records_added":1,"files":[{"file_name":"aB","is_new":true,"end":null}],"by_iD":{"a_to_b":"xY"}}\n',
  )
  expect(
    written(() => printReport({ partitions: 2, oldName: { partitions: 1 } }, { partitions: 'market_days' })).stdout,
  ).toBe('{"market_days":2,"old_name":{"market_days":1}}\n')
  expect(written(() => printJson({ aB: 1 })).stdout).toBe('{"aB":1}\n')
})
