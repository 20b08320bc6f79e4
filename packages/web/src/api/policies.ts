import type { Policy, PolicyList, PolicySettings } from '@plimsoll/contract'
import type { QueryClient } from '@tanstack/react-query'
import { api, nothingSet } from './client.ts'
import { policiesQuery } from './queries.ts'

/** The whole cluster, or one of its namespaces. */
export type PolicyScope = { clusterId: string; namespace: string | null }

type Change = (own: PolicySettings) => PolicySettings

/** Deletes a policy without settings. Fails with a conflict if another user changed the policy in the meantime. */
export async function putPolicy(queries: QueryClient, scope: PolicyScope, change: Change): Promise<void> {
  const { clusterId, namespace } = scope
  const { queryKey } = policiesQuery(clusterId)
  // A running request may return an older value than the saved one.
  await queries.cancelQueries({ queryKey })
  const own = policyOf(queries.getQueryData(queryKey)?.policies ?? [], namespace)
  const body = { cluster_id: clusterId, namespace, settings: change(own?.settings ?? {}) }
  const set = await api.setPolicy({ body, ifMatch: own?.etag ?? nothingSet })
  queries.setQueryData(queryKey, (old) => old && withPolicy(old, set))
}

export const policyOf = (policies: readonly Policy[], namespace: string | null) =>
  policies.find((each) => each.namespace === namespace)

function withPolicy(list: PolicyList, set: Policy): PolicyList {
  const others = list.policies.filter(({ namespace }) => namespace !== set.namespace)
  return { ...list, policies: Object.keys(set.settings).length === 0 ? others : [...others, set] }
}
