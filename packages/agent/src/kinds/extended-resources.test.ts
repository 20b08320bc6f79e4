import { expect, test } from 'vitest'
import { extendedRequests, extendedResources } from './extended-resources.ts'

const dongle = 'example.com/dongle'
const requesting = (count: number, more: object = {}) => ({ resources: { requests: { [dongle]: count } }, ...more })

test('a node has accelerators, other extended resources and huge pages', () => {
  const allocatable = {
    ...{ cpu: '4', memory: '16Gi', pods: '58', 'ephemeral-storage': '10Gi', 'attachable-volumes-aws-ebs': '25' },
    ...{ 'nvidia.com/gpu': '2', [dongle]: 3, 'hugepages-2Mi': '2Mi', 'hugepages-1Gi': '0' },
  }
  expect(extendedResources(allocatable)).toEqual({ 'nvidia.com/gpu': 2, [dongle]: 3, 'hugepages-2Mi': 2_097_152 })
  expect(extendedResources({ cpu: '4' })).toBeUndefined()
  expect(extendedResources({ 'nvidia.com/gpu': '0' }, ['nvidia.com/gpu'])).toEqual({ 'nvidia.com/gpu': 0 })
})

test('a pod requests the sum of its containers, or more while an init container runs', () => {
  const sidecar = requesting(1, { restartPolicy: 'Always' })
  expect(extendedRequests({ containers: [requesting(1), requesting(2)] })).toEqual({ [dongle]: 3 })
  expect(extendedRequests({ initContainers: [requesting(1)], containers: [requesting(1)] })).toEqual({ [dongle]: 1 })
  expect(extendedRequests({ initContainers: [requesting(5)], containers: [requesting(1)] })).toEqual({ [dongle]: 5 })
  expect(extendedRequests({ initContainers: [sidecar, requesting(4)], containers: [requesting(1)] })).toEqual({
    [dongle]: 5,
  })
  expect(extendedRequests({ initContainers: [sidecar], containers: [requesting(1)] })).toEqual({ [dongle]: 2 })
})

test('a limit without a request counts as the request; a pod without extended resources has none', () => {
  expect(extendedRequests({ containers: [{ resources: { limits: { [dongle]: '2' } } }] })).toEqual({ [dongle]: 2 })
  expect(extendedRequests({ containers: [{ resources: { requests: { cpu: '1' } } }] })).toBeUndefined()
})
