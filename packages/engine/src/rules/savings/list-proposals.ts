import { compare } from '../../apportion.ts'
import { groupBy } from '../../group-by.ts'
import type { PackingPod } from '../../packing/cluster.ts'
import type { PodChange, Proposal } from '../../packing/proposals.ts'
import { MICROCORES_PER_MILLICORE } from '../../units.ts'
import { targetKey, type Finding, type Target } from '../finding.ts'

/** Identifies a finding as long as its rule and target are the same. */
export const findingKey = ({ ruleId, target }: { readonly ruleId: string; readonly target: Target }) =>
  `${ruleId} ${targetKey(target)}`

/** As pods name their workload in a packing. */
export const workloadPath = (namespace: string, kind: string, name: string) => [namespace, kind, name].join('/')

type Proposing = Pick<Finding, 'target' | 'workload' | 'currentSpec' | 'recommendedSpec' | 'removesPods'> & {
  readonly ruleId: string
}

/** The pod changes of findings, as proposals for the simulation. Findings without pod changes are omitted. */
export function listProposals(findings: readonly Proposing[], pods: readonly PackingPod[]): Proposal[] {
  const removing = findings.some(({ removesPods }) => removesPods !== undefined)
  const byWorkload = removing ? groupPods(pods) : new Map<string, PackingPod[]>()
  return findings.flatMap((finding) => {
    const changes = [...resizesOf(finding), ...removalsOf(finding, byWorkload)]
    return changes.length === 0 ? [] : [{ id: findingKey(finding), changes }]
  })
}

function resizesOf({ target, workload, currentSpec, recommendedSpec: wanted }: Proposing): PodChange[] {
  if (workload === null || workload.container === '' || wanted === null) return []
  const key = workloadPath(target.namespace, workload.kind, workload.name)
  const cpu = wanted.cpuMillicores === (currentSpec?.cpuMillicores ?? null) ? null : wanted.cpuMillicores
  const memory = wanted.memoryKib === (currentSpec?.memoryKib ?? null) ? null : wanted.memoryKib
  if (cpu === null && memory === null) return []
  return [
    {
      kind: 'resize',
      workload: key,
      container: workload.container,
      ...(cpu === null ? {} : { cpu: cpu * MICROCORES_PER_MILLICORE }),
      ...(memory === null ? {} : { memory }),
    },
  ]
}

function removalsOf(
  { target, workload, removesPods }: Proposing,
  byWorkload: ReadonlyMap<string, readonly PackingPod[]>,
): PodChange[] {
  if (workload === null || removesPods === undefined) return []
  const pods = byWorkload.get(workloadPath(target.namespace, workload.kind, workload.name)) ?? []
  const gone =
    typeof removesPods === 'number' ? lastOf(pods, removesPods) : pods.filter(({ name }) => removesPods.includes(name))
  return gone.length === 0 ? [] : [{ kind: 'remove', pods: gone.map(({ uid }) => uid) }]
}

/**
 * The last pods by name, which a StatefulSet removes first. Pending pods of busier times do not count; if no pod is
 * left, they go as well.
 */
function lastOf(pods: readonly PackingPod[], count: number): readonly PackingPod[] {
  const placed = pods.filter(({ node }) => node !== undefined)
  return count >= placed.length ? pods : placed.slice(placed.length - count)
}

function groupPods(pods: readonly PackingPod[]): Map<string, PackingPod[]> {
  const groups = groupBy(pods, ({ workload }) => workload)
  for (const group of groups.values()) group.sort((a, b) => compare(a.name, b.name))
  return groups
}
