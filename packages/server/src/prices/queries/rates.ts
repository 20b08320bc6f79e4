import { decimal, formatDecimal } from '@plimsoll/engine'
import type { NodeRates, Rate } from '@plimsoll/engine/pricing'
import { sql } from 'kysely'
import type { CloudResourcePrice, ClassRates } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'

/** Of the classes of nodes in one hour. */
export type RateIds = ReadonlyMap<string, string>

type ClassTable = { table: 'node_class' | 'asset_class'; clusterId: string; rateIds: RateIds }

export async function updateRateIds(tx: Db, { table, clusterId, rateIds }: ClassTable): Promise<void> {
  const rates = [...rateIds].map(([classKey, rateId]) => ({ classKey, rateId }))
  await sql`
    update ${sql.table(table)} set rate_id = record."rateId"
    from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) as record ("classKey" text, "rateId" bigint)
    where cluster_id = ${clusterId} and class_key = record."classKey"`.execute(tx)
}

/** A node class, and the price list and override of its price. */
export type RateKey = { classKey: string; priceKey: string }

export type StoredRate = RateKey & { rateId: string }

export async function listRates(db: Db, classKeys: readonly string[]): Promise<StoredRate[]> {
  const { rows } = await sql<StoredRate>`
    select rate_id as "rateId", class_key as "classKey", price_key as "priceKey"
    from rate where class_key = any(${classKeys})`.execute(db)
  return rows
}

/** Of two concurrent inserts of the same rate, the first counts: both are equal. */
export async function insertRate(
  db: Db,
  { classKey, priceKey }: RateKey,
  validFrom: Date,
  { price, rates, evidence }: ClassRates,
): Promise<void> {
  const usd = price.kind === 'priced' ? formatDecimal(price.usdPerHour) : null
  await sql`
    insert into rate (class_key, price_key, valid_from, node_usd_per_hour, cpu_usd_per_microcore_second,
      memory_usd_per_kib_second, gpu_usd_per_part_second, estimated, evidence)
    values (${classKey}, ${priceKey}, ${validFrom}, ${usd}, ${usdOf(rates.cpu)}, ${usdOf(rates.memory)},
      ${usdOf(rates.gpu)}, ${isEstimated(price, rates)}, ${JSON.stringify(evidence)})
    on conflict (class_key, price_key) do nothing`.execute(db)
}

/** Serverless pods have rates without a node price. */
const isEstimated = (price: ClassRates['price'], { cpu }: NodeRates) =>
  price.kind === 'priced' ? price.estimated : cpu.kind === 'priced' && cpu.estimated

export async function insertCloudResourceRate(
  db: Db,
  { classKey, priceKey }: RateKey,
  validFrom: Date,
  { rate, evidence }: CloudResourcePrice,
): Promise<void> {
  await sql`
    insert into rate (class_key, price_key, valid_from, asset_usd_per_unit_second, estimated, evidence)
    values (${classKey}, ${priceKey}, ${validFrom}, ${usdOf(rate)}, ${rate.kind === 'priced' && rate.estimated},
      ${JSON.stringify(evidence)})
    on conflict (class_key, price_key) do nothing`.execute(db)
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
  asset_usd_per_unit_second: string | null
  estimated: boolean
  evidence: Record<string, unknown>
}

/** By id, to price quantities. */
export async function loadRates(db: Db, rateIds: Iterable<string>): Promise<Map<string, RateRow>> {
  const { rows } =
    await sql<RateRow>`select * from rate where rate_id = any(${[...new Set(rateIds)]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.rate_id, row]))
}

const rateOf = (usd: string | null, { estimated }: RateRow): Rate =>
  usd === null
    ? { kind: 'unpriced', reason: 'not-in-book' }
    : { kind: 'priced', usdPerUnitSecond: decimal(usd), estimated }

export const cloudResourceRateOf = (row: RateRow): Rate => rateOf(row.asset_usd_per_unit_second, row)

export function nodeRatesOf(row: RateRow): NodeRates {
  const rate = (usd: string | null) => rateOf(usd, row)
  return {
    cpu: rate(row.cpu_usd_per_microcore_second),
    memory: rate(row.memory_usd_per_kib_second),
    gpu: rate(row.gpu_usd_per_part_second),
  }
}
