import {
  clusterConditions,
  countNodePrices,
  countOtherWorkloads,
  countQuarantined,
  findConditions,
  findIdentity,
  writeConditions,
  writeReportedPlace,
} from '../../clusters/index.ts'
import { ensureRates, listUnpricedKinds } from '../../prices/index.ts'
import { writeClusterFigures } from '../queries/live-figures.ts'
import type { Db } from '../../platform/db/database.ts'
import { writeHour, type WrittenHour } from '../queries/hours.ts'
import { clearOpenHour } from '../queries/open-hour.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import { startOfDay } from '../queries/rollups.ts'
import type { Deps } from '../../platform/deps.ts'
import type { FoldedHour, LiveFigures } from '@plimsoll/pipeline/fold'
import { type PriceTerms, startOfHour } from '@plimsoll/pipeline/prices'
import { classesOf, dateOf, ratedHour, recordFinalisedHours, sumUpDaysLater } from './hours-to-write.ts'
import { noteClasses } from './note-classes.ts'

type WriteDeps = Pick<Deps, 'db' | 'log' | 'now' | 'prices'>

const hourTables = ['workload_hour', 'node_hour', 'asset_hour', 'usage_hour', 'usage_histogram', 'pod_hour'] as const

/** The current figures and conditions of a cluster. */
export async function writeFigures(
  deps: WriteDeps,
  tx: Db,
  { clusterId, figures, terms }: { clusterId: string; figures: LiveFigures; terms: PriceTerms },
): Promise<void> {
  const hour = startOfHour(deps.now())
  const wanted = [...figures.nodesByClass.keys(), ...figures.cloudResourcesByClass.keys()].map((classKey) => ({
    hour,
    classKey,
  }))
  const ratesAt = await ensureRates(deps, terms, wanted)
  await writeReportedPlace(tx, clusterId, figures.place, deps.now())
  await writeClusterFigures(tx, clusterId, figures, ratesAt(hour))
  await noteConditions(deps, tx, clusterId, figures.agent)
}

async function noteConditions(deps: WriteDeps, tx: Db, clusterId: string, agent: LiveFigures['agent']): Promise<void> {
  const since = new Date(deps.now().getTime() - 24 * 3_600_000)
  const facts = {
    agent,
    quarantined: await countQuarantined(tx, clusterId, since),
    nodes: await countNodePrices(tx, clusterId),
    unpricedCloudResources: await listUnpricedKinds(tx, clusterId),
    identity: await findIdentity(tx, clusterId),
    otherWorkloads: await countOtherWorkloads(tx, clusterId, since),
  }
  const before = await findConditions(tx, clusterId)
  await writeConditions(tx, clusterId, { before, after: clusterConditions(facts, before, deps.now()), now: deps.now() })
}

/** Partitions and rates are created outside the transaction, because other clusters need them too. */
export async function writeHours(
  deps: WriteDeps,
  tx: Db,
  { clusterId, hours, terms }: { clusterId: string; hours: FoldedHour[]; terms: PriceTerms },
): Promise<void> {
  const ratesAt = await ensureRates(deps, terms, hours.flatMap(classesOf))
  for (const { hour } of hours) for (const table of hourTables) await ensureDay(deps.db, table, dateOf(hour))
  const rated = hours.map((folded) => ratedHour(folded, ratesAt))
  await clearOpenHour(tx, clusterId)
  const written: WrittenHour[] = []
  for (const each of rated) written.push(...(await writeHour(tx, clusterId, each, deps.now())))
  await recordFinalisedHours(tx, clusterId, written, deps.now())
  await noteClasses(tx, clusterId, rated)
  const today = startOfDay(deps.now()).getTime()
  if (hours.some(({ hour }) => dateOf(hour).getTime() < today)) await sumUpDaysLater(tx, clusterId)
}
