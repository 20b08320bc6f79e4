import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listCsv } from '../../test/a-book.ts'
import { canonicalGpuType } from './gpu-names.ts'

test.each([
  ['nvidia-tesla-t4', 'T4'],
  ['Tesla-T4', 'T4'],
  ['nvidia-l4', 'L4'],
  ['NVIDIA-A10G', 'A10G'],
  ['NVIDIA-A100-SXM4-40GB', 'A100-40GB'],
  ['NVIDIA-A100-SXM4-80GB', 'A100-80GB'],
  ['nvidia-tesla-a100', 'A100-40GB'],
  ['nvidia-h100-mega-80gb', 'H100-MEGA'],
  ['NVIDIA-H100-80GB-HBM3', 'H100'],
  ['Tesla-V100-SXM2-32GB', 'V100-32GB'],
  ['Radeon-V520', 'Radeon-V520'],
])("'%s' is %s", (name, type) => {
  expect(canonicalGpuType(name)).toBe(type)
})

test('names of the tables and canonical names stay unchanged', () => {
  for (const file of ['nodes_aws.csv', 'nodes_gcp.csv', 'nodes_azure.csv', 'nodes_other.csv']) {
    for (const type of new Set(listCsv(file).map((row) => row.gpu_type ?? '')))
      expect(canonicalGpuType(type)).toBe(type)
  }
  fc.assert(fc.property(fc.string(), (name) => canonicalGpuType(canonicalGpuType(name)) === canonicalGpuType(name)))
})
