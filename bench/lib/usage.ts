import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from '../../packages/server/src/platform/db/database.ts'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** Core-seconds of a process and all its descendants, including ended ones. Linux only. */
export function coreSecondsOfTree(pid: number): number {
  const parents = new Map<number, number>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      parents.set(Number(name), fields[1] ?? 0)
      // own user and system time, and that of awaited children
      ticks.set(Number(name), (fields[11] ?? 0) + (fields[12] ?? 0) + (fields[13] ?? 0) + (fields[14] ?? 0))
    } catch {
      // The process has ended in the meantime.
    }
  }
  const isBelow = (each: number): boolean => each === pid || (each > 1 && isBelow(parents.get(each) ?? 0))
  let sum = 0
  for (const [each, spent] of ticks) if (isBelow(each)) sum += spent
  return sum / ticksPerSecond
}

export async function walBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Includes indexes and partitions. */
export async function tableBytes(db: Db, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_total_relation_size(relid)), 0)::float8 as bytes
    from unnest(${tables}::text[]) name, pg_partition_tree(name::regclass)`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function checkpointBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(max(octet_length(state)), 0)::float8 as bytes from fold_checkpoint`.execute(db)
  return rows[0]?.bytes ?? 0
}

export const hourTables = ['workload_hour', 'node_hour']

export const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

export function line(name: string, value: string, aim = ''): void {
  console.log(`${name.padEnd(56)} ${value.padStart(16)}   ${aim}`)
}
