import { compare } from '../apportion.ts'
import type { ContainerUse, NodeAllocation } from './allocate-node.ts'
import type { NodeRates } from '../pricing/rate.ts'
import type { Resource } from '../units.ts'
import type { NamespaceQuantities, NodeQuantities } from '../idle/idle-quantities.ts'

/** Both views of the allocation of one node: its own sums, and those of each namespace. */
export function nodeQuantities(
  node: string,
  allocation: NodeAllocation,
  rates: NodeRates,
  namespaceOf: (uid: string) => string,
): { node: NodeQuantities; namespaces: NamespaceQuantities[] } {
  const nodeUse = (resource: Resource) => {
    const { capacity, alloc, used, unmeasured, systemReserved } = allocation.node[resource]
    return {
      capacity: BigInt(capacity),
      alloc: BigInt(alloc),
      used: BigInt(used),
      unmeasured: BigInt(unmeasured),
      systemReserved: BigInt(systemReserved),
    }
  }
  const names = [...new Set(allocation.containers.map(({ uid }) => namespaceOf(uid)))].sort(compare)
  return {
    node: { node, rates, use: { cpu: nodeUse('cpu'), memory: nodeUse('memory'), gpu: nodeUse('gpu') } },
    namespaces: names.map((namespace) => {
      const own = allocation.containers.filter(({ uid }) => namespaceOf(uid) === namespace)
      return { namespace, rates, use: { cpu: sumOf(own, 'cpu'), memory: sumOf(own, 'memory'), gpu: sumOf(own, 'gpu') } }
    }),
  }
}

function sumOf(containers: readonly ContainerUse[], resource: Resource): NamespaceQuantities['use'][Resource] {
  const sum = { alloc: 0n, used: 0n, unmeasured: 0n, seconds: 0n, knownSeconds: 0n }
  for (const { seconds, use } of containers) {
    const { request, alloc, used, unmeasured, knownSeconds } = use[resource]
    // Every container can use CPU and memory, but only one with a GPU request can use a GPU.
    if (resource === 'gpu' && request === 0) continue
    sum.alloc += BigInt(alloc)
    sum.used += BigInt(used)
    sum.unmeasured += BigInt(unmeasured)
    sum.seconds += BigInt(seconds)
    sum.knownSeconds += BigInt(knownSeconds)
  }
  return sum
}
