import { decimal, KIB_PER_GIB, MICROCORES_PER_CORE } from '@plimsoll/engine'
import type { NodeType } from '@plimsoll/engine/packing'
import type { UnitPrice } from '@plimsoll/engine/rules'
import { canonicalProvider, findMaxPods, findNodePrice, instanceFamily, listNodeTypes } from '@plimsoll/pricebook'
import type { NodeRecord } from '../fold/inventory.ts'
import { parseClassKey } from '../prices/node-class.ts'
import { labelsOf } from './packing-of.ts'
import { nodePrice, nodeUsdPerHour, type Pricing } from '../prices/pricing.ts'

/** Labels that differ from node to node, or follow from the instance type. */
const ownLabels = /hostname$|\/zone$|instance-type$|instance-family$|instance-size$|instance-cpu$|instance-memory$/

/**
 * Instance types that the pool could use: the named types, else all sizes of its families. The reserved capacity of an
 * unseen type follows from the seen types: the same amount or the same share, whichever is more.
 */
export function nodeTypes(pricing: Pricing, nodes: readonly NodeRecord[], named?: readonly string[]): NodeType[] {
  const first = nodes.find(({ versions }) => versions.at(-1)?.facts.instanceType !== '')?.versions.at(-1)
  if (!first) return []
  const { facts, class: priced } = first
  const { query } = parseClassKey(priced.key)
  const provider = canonicalProvider(query.provider)
  const families = new Set(nodes.map(({ versions }) => familyOf(provider, versions.at(-1)?.facts.instanceType ?? '')))
  const isWanted = (type: string) => (named ? named.includes(type) : families.has(familyOf(provider, type)))
  const labels = Object.fromEntries(Object.entries(labelsOf(facts)).filter(([key]) => !ownLabels.test(key)))
  const reserved = {
    cpu: priced.capacity.cpu - priced.allocatable.cpu,
    memory: priced.capacity.memory - priced.allocatable.memory,
  }
  const left = (whole: number, resource: 'cpu' | 'memory') =>
    Math.floor(
      whole - Math.max(reserved[resource], (whole * reserved[resource]) / Math.max(1, priced.capacity[resource])),
    )
  const attachLimits = leastLimits(nodes)
  return listNodeTypes(pricing.book, query).flatMap(({ instanceType, nominal, os }): NodeType[] => {
    const { vcpu, memoryGib, arch, gpuCount = 0 } = nominal
    if (os !== query.os || gpuCount > 0 || vcpu === undefined || memoryGib === undefined) return []
    if ((arch !== undefined && arch !== facts.arch) || !isWanted(instanceType)) return []
    const capacity = { cpu: vcpu * MICROCORES_PER_CORE, memory: memoryGib * KIB_PER_GIB, gpu: 0 }
    const usd = nodeUsdPerHour(pricing, { query: { ...query, instanceType }, capacity })
    if (usd === null || usd <= 0) return []
    const pods = findMaxPods(pricing.book, instanceType)?.maxPods ?? facts.podsAllocatable
    return [
      {
        name: instanceType,
        usdPerHour: decimal(usd.toFixed(9)),
        allocatable: { cpu: left(capacity.cpu, 'cpu'), memory: left(capacity.memory, 'memory'), pods },
        labels: { ...labels, 'node.kubernetes.io/instance-type': instanceType },
        ...(facts.taints ? { taints: facts.taints } : {}),
        ...(attachLimits ? { attachLimits } : {}),
      },
    ]
  })
}

/** Attach limits of an unseen type are unknown. The lowest limit of each driver on current nodes is assumed. */
function leastLimits(nodes: readonly NodeRecord[]): NodeType['attachLimits'] {
  const least = new Map<string, number>()
  for (const { versions } of nodes) {
    for (const [driver, limit] of Object.entries(versions.at(-1)?.facts.attachLimits ?? {}))
      least.set(driver, Math.min(least.get(driver) ?? limit, limit))
  }
  return least.size === 0 ? undefined : Object.fromEntries(least)
}

/**
 * The price of an instance type under the purchase option of these nodes, with its source; absent where no price is
 * known.
 */
export function priceOfType(
  pricing: Pricing,
  nodes: readonly NodeRecord[],
  instanceType: string,
): UnitPrice | undefined {
  const key = nodes.find(({ versions }) => versions.at(-1)?.facts.instanceType !== '')?.versions.at(-1)?.class.key
  if (key === undefined) return undefined
  const query = { ...parseClassKey(key).query, instanceType }
  const { vcpu, memoryGib } = findNodePrice(pricing.book, query).nominal
  if (vcpu === undefined || memoryGib === undefined) return undefined
  const capacity = { cpu: vcpu * MICROCORES_PER_CORE, memory: memoryGib * KIB_PER_GIB, gpu: 0 }
  return nodePrice(pricing, { query, capacity }) ?? undefined
}

const familyOf = (provider: string, type: string) => instanceFamily(provider, type)
