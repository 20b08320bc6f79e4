import type { Me } from '@plimsoll/contract'
import type { Owner } from './owner-question.ts'

/** Why the page has no receipt; null: it has one. A receipt is of one cluster, by namespace or workload. */
export function missingReceipt(
  { kind }: Owner,
  clusterIds: readonly string[],
  { permissions, teams }: Pick<Me, 'permissions' | 'teams'>,
): string | null {
  if (kind === 'teams' || kind === 'nodes') return 'Receipts are available for workloads and namespaces only.'
  if (!permissions.includes('clusters:read') || teams !== null) return 'Your role cannot read receipts.'
  return clusterIds.length === 1 ? null : 'A receipt covers one cluster. Select a cluster to see the receipt.'
}
