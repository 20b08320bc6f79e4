import { expect, test } from 'vitest'
import { deliveryWords } from './delivery.ts'

test('the tools that manage a workload are listed in one sentence', () => {
  const release = { tool: 'helm', kind: 'Release', namespace: null, name: null } as const
  const application = { tool: 'argocd', kind: 'Application', namespace: null, name: 'shop' } as const
  const flux = { tool: 'flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' } as const
  expect(deliveryWords([application, release])).toBe('Managed by Argo CD (application shop) and Helm (release).')
  expect(deliveryWords([flux])).toBe('Managed by Flux (Kustomization flux-system/apps).')
})
