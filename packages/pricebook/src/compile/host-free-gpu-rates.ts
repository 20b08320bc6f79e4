import type { NodeBody } from '../parse/book-format.ts'
import { formatUsd, parseNanoUsd } from '../money.ts'
import { unpackRuns } from '../parse/runs.ts'
import type { CsvRow } from './read-csv.ts'

/**
 * The GPU rates of fallback.csv are prices of whole nodes per GPU. The price of the GPU alone is the median of (price −
 * vCPU · c − GiB · m) / GPUs over the listed GPU nodes of the provider, with its own c and m. It is the median of the
 * difference, because the difference of medians would be negative for large hosts with one GPU.
 */
export function hostFreeGpuRates(fallback: CsvRow[], nodes: NodeBody[]): CsvRow[] {
  return fallback.filter(includesHost).map((row) => {
    const provider = row.provider ?? ''
    const gpuType = (row.resource ?? '').replace('gpu:', '')
    const rate = (resource: string) => providerRate(fallback, provider, resource)
    // The first block of a provider has its regions; local zones cost more and have a separate block.
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
