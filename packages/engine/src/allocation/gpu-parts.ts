import { PARTS_PER_WHOLE } from '../units.ts'

export type GpuNode = {
  /** Label `nvidia.com/gpu.product`. */
  readonly product?: string
  /** Label `nvidia.com/gpu.replicas`: the number of time slices of each GPU or MIG slice. */
  readonly replicas?: number
}

/**
 * How much of a GPU a resource name requests, in parts; undefined for a resource that is not a GPU.
 *
 * - `nvidia.com/gpu`, `amd.com/gpu` and the like: one whole GPU;
 * - `nvidia.com/gpu.shared`, and `nvidia.com/gpu` on a time-sliced node: one GPU ÷ replicas, because such a node advertises
 *   GPUs × replicas of them;
 * - `nvidia.com/mig-3g.20gb`, also with `.me`: 3 of the compute slices of its GPU, of which A30 and RTX PRO 6000 have 4,
 *   RTX PRO 5000 and 4500 have 2, and A100, H100, H200, B200 and all others 7;
 * - `nvidia.com/mig-1g.5gb.shared`: the slice ÷ replicas.
 *
 * Compute slices and not memory, because the number in the name says so and every allowed mix of slices adds up to at most
 * one GPU: 4g.20gb + 3g.20gb is 7 of 7.
 */
export function gpuParts(resource: string, count: number, node: GpuNode): number | undefined {
  const name = resource.replace(/\.shared$/, '')
  const mig = MIG_NAME.exec(name)
  if (!mig && !WHOLE_GPUS.has(name)) return undefined

  const [numerator, slices] = mig ? [Number(mig[1] ?? mig[3]), slicesPerGpu(mig[2] ?? '', node.product)] : [1, 1]
  return Math.floor((count * numerator * PARTS_PER_WHOLE) / (slices * Math.max(1, node.replicas ?? 1)))
}

const WHOLE_GPUS: ReadonlySet<string> = new Set([
  'nvidia.com/gpu',
  'amd.com/gpu',
  'gpu.intel.com/i915',
  'gpu.intel.com/xe',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
])

/** `3g.20gb`, or `1c.3g.20gb` for one compute slice of a shared three. */
const MIG_NAME = /^nvidia\.com\/mig-(?:(\d)c\.)?((\d)g\.\d+gb)/

/** Profiles that only exist on GPUs of four slices, for nodes without a product label. */
const FOUR_SLICE_PROFILES: ReadonlySet<string> = new Set(['1g.6gb', '2g.12gb', '4g.24gb', '2g.48gb', '4g.96gb'])

function slicesPerGpu(profile: string, product: string | undefined): number {
  if (product === undefined) return FOUR_SLICE_PROFILES.has(profile) ? 4 : 7
  if (/A30\b|RTX[- ]PRO[- ]6000/.test(product)) return 4
  return /RTX[- ]PRO[- ](5000|4500)/.test(product) ? 2 : 7
}
