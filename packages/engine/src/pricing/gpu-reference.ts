import { divideRounded, type Decimal } from '../decimal.ts'
import { PARTS_PER_WHOLE, type Amounts } from '../units.ts'
import { referencePrice, type ReferenceRates } from './split-node-price.ts'

/**
 * Price tables quote a GPU with the machine around it: node price over number of GPUs. The GPU's own rate is what is left
 * after CPU and memory. A host that alone costs more than its GPUs' quote leaves nothing to call the price of a GPU.
 */
export function gpuReference(
  usdPerGpuHourWithHost: Decimal,
  capacity: Amounts,
  reference: Omit<ReferenceRates, 'gpu'>,
): { kind: 'ok'; usdPerGpuHour: Decimal } | { kind: 'unknown'; reason: 'no-gpus' | 'host-costs-more' } {
  if (capacity.gpu === 0) return { kind: 'unknown', reason: 'no-gpus' }

  const host = referencePrice({ ...capacity, gpu: 0 }, reference)
  if (host === 'no-reference-rate') return { kind: 'unknown', reason: 'host-costs-more' }

  const hostPerGpu = divideRounded(host * BigInt(PARTS_PER_WHOLE), BigInt(capacity.gpu))
  if (hostPerGpu >= usdPerGpuHourWithHost) return { kind: 'unknown', reason: 'host-costs-more' }
  return { kind: 'ok', usdPerGpuHour: usdPerGpuHourWithHost - hostPerGpu }
}
