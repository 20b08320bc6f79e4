import { RESOURCES } from '@plimsoll/engine'
import type { WorkloadQuantity } from '../queries/allocation.ts'
import type { PodRow, PodWeight } from '../queries/opencost-pods.ts'
import type { PricedRow } from '../priced-rows.ts'
import type { SharedRow } from './prepare-rows.ts'

/** The pods of one cluster, by step and workload. */
export class PodsOfWorkloads {
  readonly #pods = new Map<string, PodRow[]>()

  constructor(rows: readonly PodRow[]) {
    for (const row of rows) {
      const key = keyOf(row.step?.getTime() ?? 0, row)
      const pods = this.#pods.get(key)
      if (pods) pods.push(row)
      else this.#pods.set(key, [row])
    }
  }

  /**
   * Splits the figures of a workload among its pods, so that they always add up to those of the workload. A workload without
   * known pods keeps its row.
   */
  split(step: number, row: SharedRow, { owner }: PricedRow): SharedRow[] {
    if (owner.kind !== 'workload') return [row]
    const { namespace, controllerKind: kind, workload: name } = owner
    const pods = this.#pods.get(keyOf(step, { namespace, kind, name }))
    return pods ? splitRow(row, pods) : [row]
  }
}

const keyOf = (step: number, { namespace, kind, name }: { namespace: string; kind: string; name: string }) =>
  `${step} ${namespace}/${kind}/${name}`

function splitRow(row: SharedRow, pods: readonly PodRow[]): SharedRow[] {
  const bySeconds = (total: bigint) => splitBy(total, pods, ['seconds'])
  const compute = (part: 'own' | 'idle') => {
    const [cpu = [], memory = [], gpu = []] = RESOURCES.map((resource) =>
      splitBy(row[part][resource], pods, [`${resource}_usd`, `${resource}_alloc`, 'seconds']),
    )
    return (at: number) => ({ cpu: cpu[at] ?? 0n, memory: memory[at] ?? 0n, gpu: gpu[at] ?? 0n })
  }
  const [own, idle] = [compute('own'), compute('idle')]
  const [storage, loadBalancer, shared] = [bySeconds(row.storage), bySeconds(row.loadBalancer), bySeconds(row.shared)]
  const volumes = bySeconds(row.volumeUnitSeconds)
  const quantities = splitQuantities(row.quantities, pods)
  return pods.map(({ node, pod, container }, at) => ({
    subject: { ...row.subject, node, pod, container },
    own: own(at),
    idle: idle(at),
    storage: storage[at] ?? 0n,
    loadBalancer: loadBalancer[at] ?? 0n,
    shared: shared[at] ?? 0n,
    isUnpriced: row.isUnpriced,
    quantities: quantities(at),
    volumeUnitSeconds: volumes[at] ?? 0n,
  }))
}

type Quantities = SharedRow['quantities']

function splitQuantities(quantities: Quantities, pods: readonly PodRow[]): (at: number) => Quantities {
  if (quantities === undefined) return () => undefined
  const split = (Object.entries(quantities) as [WorkloadQuantity, string | bigint][]).map(([name, total]) => {
    const weight: PodWeight = name === 'container_seconds' ? 'seconds' : name
    return [name, splitBy(BigInt(total), pods, [weight, 'seconds'])] as const
  })
  return (at) => Object.fromEntries(split.map(([name, parts]) => [name, parts[at] ?? 0n])) as Quantities
}

const partsOfWhole = 2 ** 50
const shift = 50n

/** By the first weight that is not 0 for all pods. The parts add up to the total. */
function splitBy(total: bigint, pods: readonly PodRow[], weights: readonly PodWeight[]): bigint[] {
  if (pods.length === 1) return [total]
  if (total === 0n) return []
  const weight = weights.find((name) => pods.some((pod) => pod[name] > 0))
  const of = (pod: PodRow) => (weight === undefined ? 1 : pod[weight])
  const sum = pods.reduce((all, pod) => all + of(pod), 0)
  let before = 0n
  let reached = 0
  return pods.map((pod, at) => {
    reached += of(pod)
    const isLast = at === pods.length - 1
    const edge = isLast ? total : (total * BigInt(Math.round((reached / sum) * partsOfWhole))) >> shift
    const part = edge - before
    before = edge
    return part
  })
}
