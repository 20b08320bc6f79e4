import type { Me } from '@plimsoll/contract'
import type { Owner } from './owner-question.ts'

/** Why the page has no receipt; null: it has one. A receipt is of one cluster, by namespace or workload. */
export function missingReceipt(
  { kind }: Owner,
  clusterIds: readonly string[],
  { permissions, teams }: Pick<Me, 'permissions' | 'teams'>,
): string | null {
  if (kind === 'teams' || kind === 'nodes')
    return 'Receipts exist for workloads and namespaces. Open one of them to see its receipt.'
  if (!permissions.includes('clusters:read') || teams !== null) return 'Your role cannot read receipts.'
  return clusterIds.length === 1 ? null : 'A receipt is of one cluster. Select a cluster to see it.'
}
