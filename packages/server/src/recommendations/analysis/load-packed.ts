import { plannedNodes } from '@plimsoll/engine/plan'
import { policiesOf } from '@plimsoll/pipeline/advice'
import { type Packed, packSnapshot } from '@plimsoll/pipeline/facts'
import type { FoldState } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { loadClassRates } from '../../prices/index.ts'
import { listPolicies } from '../../settings/index.ts'
import type { PreviousPlan } from '../queries/plans.ts'
import { loadHistory } from './load-history.ts'
import { loadPricing } from './load-snapshot.ts'

/** The snapshot after repacking, as in an analysis. Undefined if the placement constraints of pods are unknown. */
export async function loadPacked(
  deps: Pick<Deps, 'prices' | 'now'>,
  tx: Db,
  clusterId: string,
  { snapshot, previous, drained }: PreviousPlan & { snapshot: FoldState },
): Promise<Packed | undefined> {
  const around = {
    rates: await loadClassRates(tx, clusterId),
    pricing: await loadPricing(deps, tx, clusterId),
    history: await loadHistory(tx, clusterId, snapshot, deps.now()),
    policies: policiesOf(await listPolicies(tx, clusterId)),
  }
  return packSnapshot(snapshot, around, plannedNodes(previous, drained))
}
