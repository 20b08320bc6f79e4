import { decimal, formatDecimal, type NodeRates, type Rate } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { ClassRates } from '../prices/class-rates.ts'
import type { Db } from './database.ts'
import type { RateIds } from './hours.ts'

/** A price from the book holds for all time until somebody says otherwise. */
const always = new Date(0)

/** Rates are made when a class is first seen, and never change in place. */
export async function ensureRates(
  db: Db,
  classKeys: readonly string[],
  ratesOf: (key: string) => ClassRates,
): Promise<RateIds> {
  const known = await findRateIds(db, classKeys)
  const missing = classKeys.filter((key) => !known.has(key))
  for (const key of missing) await insertRate(db, key, ratesOf(key))
  return missing.length === 0 ? known : findRateIds(db, classKeys)
}

async function findRateIds(db: Db, classKeys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; id: string }>`
    select distinct on (class_key) class_key as key, rate_id as id from rate
    where class_key = any(${classKeys}) order by class_key, valid_from desc`.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

async function insertRate(db: Db, classKey: string, { price, rates, evidence }: ClassRates): Promise<void> {
  const usd = price.kind === 'priced' ? formatDecimal(price.usdPerHour) : null
  await sql`
    insert into rate (class_key, valid_from, node_usd_per_hour, cpu_usd_per_microcore_second, memory_usd_per_kib_second,
      gpu_usd_per_part_second, estimated, evidence)
    values (${classKey}, ${always}, ${usd}, ${usdOf(rates.cpu)}, ${usdOf(rates.memory)}, ${usdOf(rates.gpu)},
      ${price.kind === 'priced' && price.estimated}, ${JSON.stringify(evidence)})
    on conflict (class_key, valid_from) do nothing`.execute(db)
}

const usdOf = (rate: Rate) => (rate.kind === 'priced' ? formatDecimal(rate.usdPerUnitSecond) : null)

export type RateRow = {
  rate_id: string
  class_key: string
  valid_from: Date
  node_usd_per_hour: string | null
  cpu_usd_per_microcore_second: string | null
  memory_usd_per_kib_second: string | null
  gpu_usd_per_part_second: string | null
  estimated: boolean
  evidence: Record<string, unknown>
}

/** By id, for quantities that are to become money. */
export async function loadRates(db: Db, rateIds: Iterable<string>): Promise<Map<string, RateRow>> {
  const { rows } =
    await sql<RateRow>`select * from rate where rate_id = any(${[...new Set(rateIds)]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.rate_id, row]))
}

export function nodeRatesOf(row: RateRow): NodeRates {
  const rate = (usd: string | null): Rate =>
    usd === null
      ? { kind: 'unpriced', reason: 'not-in-book' }
      : { kind: 'priced', usdPerUnitSecond: decimal(usd), estimated: row.estimated }
  return {
    cpu: rate(row.cpu_usd_per_microcore_second),
    memory: rate(row.memory_usd_per_kib_second),
    gpu: rate(row.gpu_usd_per_part_second),
  }
}
