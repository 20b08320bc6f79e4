import { formatDecimal, type Rate } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { ClassRates } from '../prices/class-rates.ts'
import type { Db } from './database.ts'

/** A class of nodes, and the book and override that make its price. */
export type RateKey = { classKey: string; priceKey: string }

export type StoredRate = RateKey & { rateId: string }

export async function listRates(db: Db, classKeys: readonly string[]): Promise<StoredRate[]> {
  const { rows } = await sql<StoredRate>`
    select rate_id as "rateId", class_key as "classKey", price_key as "priceKey"
    from rate where class_key = any(${classKeys})`.execute(db)
  return rows
}

/** Of two that make the same rate at once, the first one counts: both would say the same. */
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
      ${usdOf(rates.gpu)}, ${price.kind === 'priced' && price.estimated}, ${JSON.stringify(evidence)})
    on conflict (class_key, price_key) do nothing`.execute(db)
}

const usdOf = (rate: Rate) => (rate.kind === 'priced' ? formatDecimal(rate.usdPerUnitSecond) : null)
