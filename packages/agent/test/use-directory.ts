import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A separate directory for each test; in memory if possible, because some tests write thousands of records. */
export function useDirectory(parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()): { readonly path: string } {
  const current = { path: '' }
  beforeEach(async () => {
    current.path = await mkdtemp(join(parent, 'plimsoll-agent-'))
  })
  afterEach(() => rm(current.path, { recursive: true, force: true }))
  return current
}
