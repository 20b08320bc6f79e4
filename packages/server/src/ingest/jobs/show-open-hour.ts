import type { Db } from '../../platform/db/database.ts'
import { hasHours, writeOpenHour } from '../queries/open-hour.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import type { Deps } from '../../platform/deps.ts'
import { capHour, type Fold } from '@plimsoll/pipeline/fold'
import { ensureRates } from '../../prices/index.ts'
import type { PriceTerms } from '@plimsoll/pipeline/prices'
import { classesOf, dateOf } from './write-finalised-hours.ts'

const tables = ['workload_hour', 'node_hour', 'asset_hour'] as const

/** Only until the first hour is complete: writing all rows every minute is too expensive in the long run. */
export async function showOpenHour(
  deps: Pick<Deps, 'db' | 'log' | 'now' | 'prices'>,
  tx: Db,
  { clusterId, folding, terms }: { clusterId: string; folding: Fold; terms: PriceTerms },
): Promise<void> {
  if (await hasHours(tx, clusterId)) return
  const open = folding.openHour()
  if (!open) return
  const folded = capHour(open)
  const hour = dateOf(folded.hour)
  const ratesAt = await ensureRates(deps, terms, classesOf(folded))
  for (const table of tables) await ensureDay(deps.db, table, hour)
  const span = { from: new Date(open.known.from * 1000), through: new Date(open.known.to * 1000) }
  await writeOpenHour(tx, clusterId, { hour, folded, rateIds: ratesAt(hour) }, span)
}
