import type { ObjectSpec } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { around, aSnapshot, type SeenObject } from '../../test/a-snapshot.ts'
import { factsOf } from './facts-of.ts'

/** The manager of the requests of container `app` of Deployment `web`, as the analysis finds it. */
const managedBy = (requestManagers: string[], ...others: SeenObject[]) =>
  managerFrom({ containers: { app: { request_managers: requestManagers } } }, others)

/** The same for an agent that sends one list of field managers for the whole object. */
const managedByOlder = (managers: string[]) => managerFrom({ managers, containers: { app: {} } })

function managerFrom(fields: Partial<ObjectSpec<'workload'>>, others: SeenObject[] = []) {
  const spec = { workload_kind: 'Deployment', ...fields }
  const state = aSnapshot({
    nodes: [{ name: 'a' }],
    pods: [{ name: 'web-1', node: 0 }],
    objects: [{ name: 'web', namespace: 'shop', kind: 'workload', spec }, ...others],
  })
  return factsOf(state, around(state)).workloads[0]?.containers[0]?.managedBy
}

test.each([
  'kube-controller-manager',
  'kubectl',
  'kubectl-client-side-apply',
  'kubectl-edit',
  'kubectl-set',
  'kubectl-patch',
  'kubectl-rollout',
  'before-first-apply',
  'helm',
  'Helm',
  'argocd',
  'argocd-controller',
  'argocd-application-controller',
  'kustomize-controller',
  'helm-controller',
  'flux-client-side-apply',
  'Terraform',
  'HashiCorp',
  'pulumi-kubernetes-0a1b2c3d',
  'plimsoll',
  'kapp-controller',
  'people',
])('%s deploys manifests of users, so requests can be changed', (manager) => {
  expect(managedBy([manager])).toBeNull()
})

test.each([
  'prometheus-operator',
  'argocd-operator',
  'helm-operator',
  'cert-manager-operator',
  'rabbitmq-cluster-operator',
  'capi-controller-manager',
  'keycloak-controller',
  'manager',
  'eks',
  'vpa-updater',
  'vpa-admission-controller',
  'cluster-proportional-vertical-autoscaler',
  'castai-workload-autoscaler',
])('%s restores the requests that it owns and is named beside the deployer', (manager) => {
  expect(managedBy(['helm', 'kubectl-edit', manager])).toBe(manager)
})

test('a VerticalPodAutoscaler that writes requests is named before an operator', () => {
  const vertical = (mode: string): SeenObject => ({
    ...{ name: 'web-vpa', namespace: 'shop', kind: 'vertical_autoscaler' },
    spec: { target_kind: 'Deployment', target_name: 'web', mode },
  })
  expect(managedBy(['web-operator'], vertical('Auto'))).toBe('VerticalPodAutoscaler web-vpa')
  expect(managedBy([], vertical('Off'))).toBeNull()
})

test.each(['prometheus-operator', 'Operator', 'vpa-updater', 'castai-workload-autoscaler'])(
  'an older agent sends only a list of managers: %s is named',
  (manager) => {
    expect(managedByOlder(['helm', 'kube-controller-manager', manager])).toBe(manager)
  },
)

test('an older agent sends only a list of managers: deployers and status writers do not count', () => {
  const others = ['kube-controller-manager', 'kubectl', 'helm', 'argocd-controller', 'flux', 'kustomize-controller']
  const statusWriters = ['rollouts-controller', 'openshift-controller-manager', 'manager', 'cluster-autoscaler']
  expect(managedByOlder([...others, ...statusWriters])).toBeNull()
})
