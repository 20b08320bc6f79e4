import { sql, type RawBuilder } from 'kysely'

const rates = {
  cpu: sql.ref('rate.cpu_usd_per_microcore_second'),
  memory: sql.ref('rate.memory_usd_per_kib_second'),
  gpu: sql.ref('rate.gpu_usd_per_part_second'),
}

/** Quantity × rate of the table `rate`, exact. Unpriced quantities add nothing and must be reported beside the sum. */
export function usd(use: string, resources: readonly (keyof typeof rates)[] = ['cpu', 'memory', 'gpu']) {
  const products = resources.map((name) => sql`${sql.ref(`${name}_${use}`)} * coalesce(${rates[name]}, 0)`)
  return sql<string>`(${sql.join(products, sql` + `)})`
}

/** The part of `used` without usage data. */
export const unmeasuredUsd = usd('unmeasured')

/** The same for cloud resources. */
export const cloudResourceUsd = sql<string>`(unit_seconds * coalesce(rate.asset_usd_per_unit_second, 0))`

/** Whether a part of a quantity has no price. A quantity of 0 is never unpriced. */
export const isUnpriced = (use: string): RawBuilder<boolean> =>
  sql`(${sql.join(
    Object.entries(rates).map(([name, rate]) => sql`(${sql.ref(`${name}_${use}`)} > 0 and ${rate} is null)`),
    sql` or `,
  )})`
