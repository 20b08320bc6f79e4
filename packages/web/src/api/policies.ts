import type { Policy, PolicyList, PolicySettings } from '@plimsoll/contract'
import type { QueryClient } from '@tanstack/react-query'
import { api, nothingSet } from './client.ts'
import { policiesQuery } from './queries.ts'

/** The whole cluster, or a namespace of it. */
export type PolicyScope = { clusterId: string; namespace: string | null }

type Change = (own: PolicySettings) => PolicySettings

/** With nothing left in it a policy is taken away. Refused when somebody else has changed it since it was looked at. */
export async function putPolicy(queries: QueryClient, scope: PolicyScope, change: Change): Promise<void> {
  const { clusterId, namespace } = scope
  const { queryKey } = policiesQuery(clusterId)
  // An answer that is on its way may be older than what is set now.
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
