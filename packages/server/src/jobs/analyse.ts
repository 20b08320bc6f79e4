import { targetKey } from '@plimsoll/engine'
import { analysePicture } from '../analysis/analyse-picture.ts'
import type { Around } from '../analysis/facts-of.ts'
import { loadHistory } from '../analysis/history.ts'
import { loadPicture, loadPricing } from '../analysis/load-picture.ts'
import { readAtOnce } from '../db/cover.ts'
import { findCluster } from '../db/clusters.ts'
import { lockLiveCluster } from '../db/ingest.ts'
import { loadClassRates } from '../db/node-classes.ts'
import { writeNodeVerdicts } from '../db/node-verdicts.ts'
import { listPolicies } from '../db/policies.ts'
import type { Deps } from '../deps.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { policiesOf } from '../recommendations/policy-settings.ts'
import { openKey } from '../recommendations/reconcile.ts'
import { storeFindings } from '../recommendations/store-findings.ts'
import { verifyApplied } from '../recommendations/verify-applied.ts'

/** Safe to run twice. Ids, people's decisions and history survive a new analysis. */
export async function analyse(deps: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  const loaded = await loadPictureAndPrices(deps, clusterId)
  if (!loaded) return
  const found = analysePicture(loaded.picture, loaded.around)
  const foundKeys = new Set(found.findings.map(({ ruleId, target }) => openKey(ruleId, targetKey(target))))

  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockLiveCluster(tx, clusterId))) return
    const result = await storeFindings(tx, clusterId, found, deps.now())
    await writeNodeVerdicts(tx, clusterId, found.nodes, deps.now())
    await verifyApplied(tx, clusterId, { observe: found.observe, isFound: (key) => foundKeys.has(key) }, deps.now())
    const counts = { found: result.insert.length, closed: result.close.length, withheld: found.withheld.length }
    deps.log.info({ clusterId, ...counts }, 'cluster analysed')
  })
}

/** Undefined while no agent has reported: there is nothing to judge. */
async function loadPictureAndPrices(
  deps: Deps,
  clusterId: string,
): Promise<{ picture: FoldState; around: Around } | undefined> {
  return readAtOnce(deps.db, async (tx) => {
    const cluster = await findCluster(tx, clusterId)
    const picture = await loadPicture(deps, tx, clusterId)
    if (!cluster || !picture) return undefined
    const around = {
      costUsdPerMonth: Number(cluster.monthly_cost) > 0 ? Number(cluster.monthly_cost) : null,
      rates: await loadClassRates(tx, clusterId),
      pricing: await loadPricing(deps, tx, clusterId),
      history: await loadHistory(tx, clusterId, picture, deps.now()),
      policies: policiesOf(await listPolicies(tx, clusterId)),
    }
    return { picture, around }
  })
}
