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
import type { Deps } from '../../platform/deps.ts'
import type { LiveFigures } from '@plimsoll/pipeline/fold'
import { type PriceTerms, startOfHour } from '@plimsoll/pipeline/prices'

type WriteDeps = Pick<Deps, 'db' | 'log' | 'now' | 'prices'>

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
