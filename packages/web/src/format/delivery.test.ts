import { expect, test } from 'vitest'
import { deliveryWords } from './delivery.ts'

test('who delivers a workload is one sentence', () => {
  const release = { tool: 'helm', kind: 'Release', namespace: null, name: null } as const
  const application = { tool: 'argocd', kind: 'Application', namespace: null, name: 'shop' } as const
  const flux = { tool: 'flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' } as const
  expect(deliveryWords([application, release])).toBe('Delivered by the Argo CD application shop, with a Helm release.')
  expect(deliveryWords([flux])).toBe('Delivered by the Flux Kustomization flux-system/apps.')
})
