import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { TestDatabase } from './test-database.ts'

const mount = (directory: string, options: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' })

/** Mounting requires root and, in a container, another capability. */
export const canMount = mayMount()

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-mount-'))
  try {
    mount(directory, 'size=64k')
    execFileSync('umount', [directory])
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** A file system of that size, unmounted when the test ends. */
export function aSmallDisk(size: string): { path: string; grow: (size: string) => void } {
  const path = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'))
  mount(path, `size=${size}`)
  onTestFinished(() => {
    execFileSync('umount', [path])
    rmSync(path, { recursive: true })
  })
  return { path, grow: (wanted) => void execFileSync('mount', ['-o', `remount,size=${wanted}`, path]) }
}

/** A PostgreSQL tablespace on a small disk, with the tables that are moved there. */
export async function aSmallTablespace({ db }: TestDatabase, size: string) {
  const disk = aSmallDisk(size)
  const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(db)
  const { uid, gid } = statSync(rows[0]?.data_directory ?? '')
  const location = join(disk.path, 'tables')
  mkdirSync(location)
  chownSync(location, uid, gid)
  const name = `small_${process.pid}`
  await sql.raw(`create tablespace ${name} location '${location}'`).execute(db)
  const taken: string[] = []
  onTestFinished(async () => {
    for (const table of taken) await sql.raw(`alter table ${table} set tablespace pg_default`).execute(db)
    await sql.raw(`drop tablespace ${name}`).execute(db)
  })
  const take = async (table: string) => {
    taken.push(table)
    await sql.raw(`alter table ${table} set tablespace ${name}`).execute(db)
  }
  return { take, grow: async (wanted: string) => disk.grow(wanted) }
}
