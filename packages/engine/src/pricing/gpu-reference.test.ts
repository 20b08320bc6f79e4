import { expect, test } from 'vitest'
import { amounts } from '../allocation/builders.ts'
import { decimal } from '../decimal.ts'
import { gpuReference } from './gpu-reference.ts'

test('a GPU rate that includes the host is freed of it', () => {
  const host = { cpu: decimal('0.03'), memory: decimal('0.004') }
  const capacity = amounts({ cores: 8, gib: 32, gpus: 2 })
  // The host is 8·0.03 + 32·0.004 = 0.368, so 0.184 for each of two GPUs.
  expect(gpuReference(decimal('1.2'), capacity, host)).toEqual({ kind: 'ok', usdPerGpuHour: decimal('1.016') })
  expect(gpuReference(decimal('0.1'), capacity, host)).toMatchObject({ kind: 'unknown', reason: 'host-costs-more' })
  expect(gpuReference(decimal('1.2'), amounts({ cores: 8 }), host)).toMatchObject({
    kind: 'unknown',
    reason: 'no-gpus',
  })
})
