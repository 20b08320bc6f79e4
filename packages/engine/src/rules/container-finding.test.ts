import { expect, test } from 'vitest'
import { changeRequests, sizeTitle } from './container-finding.ts'

const target = { kind: 'Deployment', namespace: 'shop', name: 'cart', container: 'cart' }

test('a title shows whole cores with their unit; the fields keep Kubernetes quantities', () => {
  const change = changeRequests('set_requests', target, {
    from: { cpuMillicores: 2000, memoryKib: 1024 * 1024 },
    to: { cpuMillicores: 415, memoryKib: 1024 * 1024 },
  })
  expect(sizeTitle(change, target, { name: 'cart' })).toBe('Lower CPU request of cart from 2 cores to 415m')
  expect(change.fields).toEqual([{ path: 'resources.requests.cpu', from: '2', to: '415m' }])
})
