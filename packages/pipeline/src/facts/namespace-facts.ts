import { groupBy } from '@plimsoll/engine'
import {
  requestUsd,
  type BalancerFacts,
  type NamespaceFacts,
  type VolumeFacts,
  type WorkloadFacts,
} from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import type { History } from './history.ts'
import { quotasOf } from './object-facts.ts'

type Things = {
  workloads: readonly WorkloadFacts[]
  volumes: readonly VolumeFacts[]
  balancers: readonly BalancerFacts[]
}

export function namespacesOf(
  state: FoldState,
  history: History,
  { workloads, volumes, balancers }: Things,
): NamespaceFacts[] {
  const quotas = quotasOf(state, history)
  const pods = new Map<string, number>()
  const usd = new Map<string, number | null>()
  for (const workload of workloads) {
    const { namespace, replicas, price } = workload
    pods.set(namespace, (pods.get(namespace) ?? 0) + replicas)
    const ownUsd = price === null ? null : requestUsd(workload)
    const before = usd.get(namespace)
    usd.set(namespace, ownUsd === null || before === null ? null : (before ?? 0) + ownUsd)
  }
  const cloudResources = groupBy(
    [
      ...volumes.map(({ namespace, unmountedSince: since, usdPerMonth }) => ({ namespace, since, usdPerMonth })),
      ...balancers.map(({ namespace, unreadySince: since, usdPerMonth }) => ({ namespace, since, usdPerMonth })),
    ],
    ({ namespace }) => namespace,
  )
  const living = [...state.cloudResources.namespaces.byUid.values()].filter(({ endedAt }) => endedAt > state.watermark)
  return living.map(({ name, versions }) => {
    const own = cloudResources.get(name) ?? []
    return {
      name,
      labels: versions.at(-1)?.facts.labels ?? {},
      pods: pods.get(name) ?? 0,
      cloudResources: own.length,
      cloudResourcesUsdPerMonth: own.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0),
      unusedSince: latest(own.map(({ since }) => since)),
      quotas: quotas.get(name) ?? [],
      rhythm: history.rhythms.get(name) ?? null,
      requestUsdPerMonth: usd.get(name) ?? null,
    }
  })
}

/** Since when all of them are unused; null while one is used, or without any. */
function latest(since: readonly (number | null)[]): number | null {
  const unused = since.flatMap((each) => each ?? [])
  return unused.length === 0 || unused.length < since.length ? null : Math.max(...unused)
}
