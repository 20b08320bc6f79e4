import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdsData, readState, stateFileOf, writeState } from './demo-state.ts'

const state = { email: 'a@example.com', password: 'secret', clusters: [], leftovers: [], chapters: [] }

let home: string
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'demo-state-'))))
afterEach(() => rmSync(home, { recursive: true }))

test('the state is kept with the data where somebody says where that is, and in the project else', () => {
  expect(stateFileOf('/data', '/project/')).toBe('/data/plimsoll-demo.json')
  expect(stateFileOf(undefined, '/project/')).toBe('/project/.plimsoll-demo.json')
  expect(stateFileOf('', '/project/')).toBe('/project/.plimsoll-demo.json')
})

test('a directory that is not there yet is made for it, closed to others, and holds no data by that', () => {
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
