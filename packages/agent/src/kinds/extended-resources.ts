import { parseQuantity, wholes } from '@plimsoll/engine'
import type { PodSpec, Quantities } from './kube-types.ts'

type Counts = Record<string, number>

/** These resources have separate columns. */
const ordinary = new Set(['cpu', 'memory', 'pods', 'ephemeral-storage'])
/** The scheduler no longer reads these volume limits from the node. */
const volumeLimits = 'attachable-volumes-'
const NAMES_MAX = 50

/**
 * Extended resources, accelerators and huge pages of a node or container; undefined: none. Huge pages are in bytes.
 * `named` resources are listed even with a count of 0, such as GPUs while the device plugin is down.
 */
export function extendedResources(quantities: Quantities = {}, named: readonly string[] = []): Counts | undefined {
  const counts = Object.entries(quantities).flatMap(([name, quantity]): [string, number][] => {
    if (ordinary.has(name) || name.startsWith(volumeLimits)) return []
    const count = parseQuantity(quantity, wholes) ?? 0
    return count > 0 || named.includes(name) ? [[name, count]] : []
  })
  return counts.length === 0 ? undefined : Object.fromEntries(counts.sort().slice(0, NAMES_MAX))
}

/** The requests that the scheduler reserves for a pod. Init containers run one by one, beside earlier sidecars. */
export function extendedRequests({ containers = [], initContainers = [] }: PodSpec): Counts | undefined {
  const running: Counts = {}
  const peak: Counts = {}
  for (const { restartPolicy, resources = {} } of initContainers) {
    // A limit without a request counts as the request.
    for (const [name, count] of Object.entries(
      extendedResources({ ...resources.limits, ...resources.requests }) ?? {},
    )) {
      const before = running[name] ?? 0
      peak[name] = Math.max(peak[name] ?? 0, before + count)
      if (restartPolicy === 'Always') running[name] = before + count
    }
  }
  for (const { resources = {} } of containers) {
    for (const [name, count] of Object.entries(extendedResources({ ...resources.limits, ...resources.requests }) ?? {}))
      running[name] = (running[name] ?? 0) + count
  }
  for (const [name, count] of Object.entries(running)) peak[name] = Math.max(peak[name] ?? 0, count)
  return Object.keys(peak).length === 0 ? undefined : peak
}
