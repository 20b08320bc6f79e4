import { expect, test } from 'vitest'
import { targetName } from './change-text.tsx'

const volume = 'pvc-1746b9ab-0000-4000-8000-000000000000'

const about = (kind: string, name: string, claim: string | null = null) => ({
  ...{ namespace: '', workload: null, volume_claim: claim },
  change: {
    ...{ action: 'delete' as const, summary: '', fields: [] },
    object: { kind, namespace: '', name, container: '' },
  },
})

test('a volume is shown by its claim first, then by its own name', () => {
  expect(targetName(about('PersistentVolume', volume, 'shop/data'))).toEqual({
    main: 'shop/data',
    detail: 'pvc-1746b9ab…',
  })
})

test('a node pool and the control plane are named with their kind', () => {
  expect(targetName(about('NodePool', 'spot'))).toEqual({ main: 'node pool spot', detail: '' })
  expect(targetName(about('ControlPlane', 'control-plane'))).toEqual({ main: 'control plane', detail: '' })
})

test('a node and a volume without a claim have only their own names', () => {
  expect(targetName(about('PersistentVolume', volume))).toEqual({ main: 'pvc-1746b9ab…', detail: 'PersistentVolume' })
  expect(targetName(about('Node', 'ip-10-0-0-1.internal'))).toEqual({ main: 'ip-10-0-0-1', detail: 'Node' })
})
