import type { NodeBody } from '../parse/book-format.ts'
import { formatUsd, parseNanoUsd } from '../money.ts'
import { unpackRuns } from '../parse/runs.ts'
import type { CsvRow } from './read-csv.ts'

/**
 * The GPU rates of fallback.csv are prices of whole machines per GPU. What the GPU itself costs is the median, over the
 * provider's listed machines with at least one, of (price − vCPU · c − GiB · m) / GPUs with the provider's own c and m.
 * The median of the difference, not the difference of medians: large hosts with one GPU would make the latter negative.
 */
export function hostFreeGpuRates(fallback: CsvRow[], nodes: NodeBody[]): CsvRow[] {
  return fallback.filter(includesHost).map((row) => {
    const provider = row.provider ?? ''
    const gpuType = (row.resource ?? '').replace('gpu:', '')
    const rate = (resource: string) => providerRate(fallback, provider, resource)
    // The first block of a provider is its regions; local zones, which cost more, have one of their own.
    const regions = nodes.find((block) => block.provider === provider)
    const rests = regions ? restsPerGpu(regions, gpuType, rate('vcpu'), rate('memory_gib')) : []
    const nanoUsd = Math.round(median(rests))
    if (!(nanoUsd > 0))
      throw new RangeError(`${provider} ${gpuType}: the host price exceeds the total, so the GPU price is not positive`)
    return {
      provider,
      gpu_type: gpuType,
      usd_hour: formatUsd(nanoUsd),
      with_host_usd_hour: row.usd ?? '',
      prices: String(rests.length),
      source: row.source ?? '',
    }
  })
}

function includesHost(row: CsvRow): boolean {
  return (row.resource ?? '').startsWith('gpu:') && (row.note ?? '').includes('host included')
}

function providerRate(fallback: CsvRow[], provider: string, resource: string): number {
  const isIt = (row: CsvRow) => row.provider === provider && row.region === '*' && row.resource === resource
  const row = fallback.find((candidate) => isIt(candidate) && candidate.capacity_type === 'on-demand')
  return parseNanoUsd(row?.usd ?? '')
}

function restsPerGpu(block: NodeBody, gpuType: string, vcpuNanoUsd: number, gibNanoUsd: number): number[] {
  const prices = new Float64Array(block.regions.length * block.types.length)
  if (!unpackRuns(block.onDemand, Number.MAX_SAFE_INTEGER, prices)) throw new Error('prices are not packed')
  return [...prices].flatMap((units, cell) => {
    const type = cell % block.types.length
    const [vcpu, gib, gpus] = [block.vcpu[type], block.memoryGib[type], block.gpuCount[type]]
    if (units === 0 || block.gpuType[type] !== gpuType || vcpu == null || gib == null || gpus == null || gpus < 1)
      return []
    return [(units * block.unitNanoUsd - vcpu * vcpuNanoUsd - gib * gibNanoUsd) / gpus]
  })
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}
