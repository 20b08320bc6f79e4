import { count } from '../count.ts'
import { parseQuantityNano } from '../quantity.ts'
import { BYTES_PER_KIB, formatBytes, formatMillicores, kibOfBytes, parseBytes, parseMillicores } from '../units.ts'
import type { Sizes } from './live-workload.ts'

export type SizedResource = 'cpu' | 'memory'

export const isSized = (resource: string): resource is SizedResource => resource === 'cpu' || resource === 'memory'

export const sizeOf = (sizes: Sizes, resource: SizedResource) =>
  resource === 'cpu' ? sizes.cpuMillicores : sizes.memoryKib

export const withSize = (sizes: Sizes, resource: SizedResource, value: number | null): Sizes =>
  resource === 'cpu' ? { ...sizes, cpuMillicores: value } : { ...sizes, memoryKib: value }

export const formatSize = (resource: SizedResource, value: number) =>
  resource === 'cpu' ? formatMillicores(value) : formatBytes(value * BYTES_PER_KIB)

/** For users, exact: 2 cores of CPU, 1088Mi of memory. */
export function describeSize(resource: SizedResource, value: number): string {
  if (resource === 'memory') return `${formatSize(resource, value)} of memory`
  return value % 1000 === 0 ? `${count(value / 1000, 'core')} of CPU` : `${formatSize(resource, value)} of CPU`
}

/** Millicores or KiB; undefined: not a quantity. */
export function parseSize(resource: SizedResource, text: string): number | undefined {
  const parsed = resource === 'cpu' ? parseMillicores(text) : parseBytes(text)
  if (parsed.kind === 'invalid') return undefined
  return resource === 'cpu' ? parsed.value : kibOfBytes(parsed.value)
}

/** As Kubernetes prints it, so that Git and the cluster show the same text; undefined: not a quantity. */
export function canonicalQuantity(resource: string, text: string): string | undefined {
  if (isSized(resource)) {
    const value = parseSize(resource, text)
    return value === undefined ? undefined : formatSize(resource, value)
  }
  if (resource === 'storage' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-')) {
    const bytes = parseBytes(text)
    return bytes.kind === 'ok' ? formatBytes(bytes.value) : undefined
  }
  const whole = parseQuantityNano(text)
  return whole.kind === 'ok' && whole.value % 1_000_000_000n === 0n ? String(whole.value / 1_000_000_000n) : undefined
}
