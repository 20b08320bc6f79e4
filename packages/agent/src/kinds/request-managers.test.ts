import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ManagedFields, Metadata } from './kube-types.ts'
import { requestManagers } from './request-managers.ts'

const managersOf = (fields: readonly ManagedFields[]) => Object.fromEntries(requestManagers(fields))

type Recorded = { kind: string; metadata: Metadata }

/**
 * Recorded from an API server 1.35: managers are `kubectl apply`, `set resources` and `scale`, an operator, and the
 * controllers.
 */
const recorded = JSON.parse(
  readFileSync(new URL('../../test/fixtures/managed-fields.json', import.meta.url), 'utf8'),
) as Recorded[]

test.each([
  { kind: 'Deployment', name: 'web', managers: { app: ['kubectl-client-side-apply', 'kubectl-set'] } },
  { kind: 'Deployment', name: 'shop', managers: { app: ['shop-operator'] } },
  {
    kind: 'DaemonSet',
    name: 'logs',
    managers: { logs: ['kubectl-client-side-apply'], setup: ['kubectl-client-side-apply'] },
  },
  { kind: 'CronJob', name: 'report', managers: { job: ['kubectl-client-side-apply'] } },
])('managers of the requests of $kind $name, as an API server records them', ({ kind, name, managers }) => {
  const object = recorded.find((each) => each.kind === kind && each.metadata.name === name)
  const fields = object?.metadata.managedFields ?? []
  expect(fields.map(({ manager }) => manager)).toContain('kube-controller-manager')
  expect(managersOf(fields)).toEqual(managers)
})

const resources = { '.': {}, 'f:requests': { '.': {}, 'f:cpu': {}, 'f:memory': {} } }
const pods = (containers: object) => ({ 'f:spec': { 'f:template': { 'f:spec': containers } } })
const app = pods({ 'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:name': {}, 'f:resources': resources } } })

test('writers of the status do not manage requests', () => {
  const status = { 'f:status': { '.': {}, 'f:replicas': {}, 'f:conditions': {} } }
  expect(
    managersOf([
      { manager: 'kubectl-client-side-apply', fieldsV1: app },
      { manager: 'kube-controller-manager', subresource: 'status', fieldsV1: status },
      { manager: 'web-operator', subresource: 'status', fieldsV1: app },
    ]),
  ).toEqual({ app: ['kubectl-client-side-apply'] })
})

test('a manager of other fields of a container does not manage its requests', () => {
  const image = pods({ 'f:containers': { 'k:{"name":"app"}': { 'f:image': {} } } })
  const replicas = { 'f:spec': { 'f:replicas': {} } }
  expect(
    managersOf([
      { manager: 'image-operator', fieldsV1: image },
      { manager: 'hpa', subresource: 'scale', fieldsV1: replicas },
    ]),
  ).toEqual({})
})

test('each container has its own managers, init containers and containers of CronJobs too', () => {
  const init = pods({ 'f:initContainers': { 'k:{"name":"migrate"}': { 'f:resources': {} } } })
  const cronJob = { 'f:spec': { 'f:jobTemplate': app } }
  expect(
    managersOf([
      { manager: 'helm', fieldsV1: app },
      { manager: 'web-operator', fieldsV1: init },
      { manager: 'batch-operator', fieldsV1: cronJob },
    ]),
  ).toEqual({ app: ['batch-operator', 'helm'], migrate: ['web-operator'] })
})

test.each([
  ['none', undefined],
  ['no object', 'f:spec'],
  ['a list', pods({ 'f:containers': [{ 'f:resources': {} }] })],
  ['a key without a name', pods({ 'f:containers': { 'k:{"image":"x"}': { 'f:resources': {} } } })],
  ['a key that is not JSON', pods({ 'f:containers': { 'k:{': { 'f:resources': {} } } })],
])('fields in an unknown form have no managers: %s', (_name, fieldsV1) => {
  expect(managersOf([{ manager: 'helm', fieldsV1 }])).toEqual({})
})
