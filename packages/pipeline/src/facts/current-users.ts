import type { BalancerRecord, VolumeRecord } from '../fold/cloud-resources.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil } from '../fold/inventory.ts'

/** A pod that has ended uses nothing, whatever the last report about the resource says. */
export function currentUsers(
  { inventory, watermark }: FoldState,
  { versions }: VolumeRecord | BalancerRecord,
): string[] {
  const users = versions.at(-1)?.users ?? []
  return users.filter((uid) => {
    const pod = inventory.pods.get(uid)
    return pod !== undefined && paidUntil(pod) > watermark
  })
}
