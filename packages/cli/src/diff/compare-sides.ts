import type { EstimateWorkload } from '@plimsoll/contract'
import type { ManifestWorkload } from './read-workloads.ts'

type Side = ReadonlyMap<string, ManifestWorkload>

export type Comparison = { readonly workloads: EstimateWorkload[]; readonly unchanged: number }

/** The workloads that differ. Without a base, every workload is compared with the cluster. */
export function compareSides(base: Side | undefined, head: Side): Comparison {
  if (!base) {
    const workloads = [...head.values()].map(({ kind, namespace, name, state }) => ({
      kind,
      namespace,
      name,
      after: state,
    }))
    return { workloads, unchanged: 0 }
  }
  let unchanged = 0
  const workloads = [...new Set([...base.keys(), ...head.keys()])].sort().flatMap((key) => {
    const [before, after] = [base.get(key), head.get(key)]
    const { kind = '', namespace = '', name = '' } = after ?? before ?? {}
    if (before && after && JSON.stringify(before.state) === JSON.stringify(after.state)) {
      unchanged += 1
      return []
    }
    return [{ kind, namespace, name, before: before?.state ?? null, after: after?.state ?? null }]
  })
  return { workloads, unchanged }
}
