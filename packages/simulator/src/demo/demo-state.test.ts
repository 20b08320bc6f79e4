import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdsData, readState, stateFileOf, writeState } from './demo-state.ts'

const state = { email: 'a@example.com', password: 'secret', clusters: [], leftovers: [], chapters: [] }

let home: string
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'demo-state-'))))
afterEach(() => rmSync(home, { recursive: true }))

test('the state is in the data directory if one is set, and otherwise in the project', () => {
  expect(stateFileOf('/data', '/project/')).toBe('/data/plimsoll-demo.json')
  expect(stateFileOf(undefined, '/project/')).toBe('/project/.plimsoll-demo.json')
  expect(stateFileOf('', '/project/')).toBe('/project/.plimsoll-demo.json')
})

test('a missing directory is created for the owner only, and counts as empty', () => {
  const dataDir = join(home, 'below', 'data')
  const file = stateFileOf(dataDir, home)
  expect(readState(file)).toBeUndefined()
  expect(holdsData(dataDir)).toBe(false)
  writeState(file, state)
  expect(readState(file)).toEqual(state)
  expect([statSync(dataDir).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
  expect(holdsData(dataDir)).toBe(false)
  writeFileSync(join(dataDir, 'postgres-password'), '')
  expect(holdsData(dataDir)).toBe(true)
})

test('the state of an earlier version is read with the current names', () => {
  const file = join(home, 'state.json')
  const same = { scenario: 'office', id: 'cl_1', agentToken: 'pla_1', openedAt: 0, runs: 1, happenings: [] }
  writeFileSync(file, JSON.stringify({ ...state, clusters: [{ ...same, toldUntil: 7 }] }))
  expect(readState(file)?.clusters).toEqual([{ ...same, firstSentHour: 0, firstUnsentHour: 7 }])
})
