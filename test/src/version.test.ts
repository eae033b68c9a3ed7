// The version of the program.

import { expect, test } from 'bun:test'
import { VERSION } from '../../src/version.ts'

test('the version is a version', () => expect(VERSION).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+/))
