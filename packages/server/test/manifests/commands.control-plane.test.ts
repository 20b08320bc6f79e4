import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandsFor, someActions } from '@plimsoll/engine/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../../test/control-plane.ts'
import { runTool, startShell } from './kube-tools.ts'
import { put } from './render.ts'

const assets = findAssets()

type Sample = (typeof someActions)[number]

const sampleOf = (isIt: (sample: Sample) => boolean): Sample => {
  const found = someActions.find(isIt)
  if (!found) throw new Error('the sample exists')
  return found
}

const container = { name: 'app', image: 'a' }
const labels = { app: 'web' }
const template = { metadata: { labels }, spec: { containers: [container], terminationGracePeriodSeconds: 0 } }
const inShop = (name: string) => ({ name, namespace: 'shop' })

const objects = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'staging' } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n-1' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inShop('front'),
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: inShop('quota'), spec: { hard: { 'requests.cpu': '40' } } },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: inShop('web'),
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  },
  ...['shop', 'staging'].map((namespace) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  })),
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: inShop('probe'),
    spec: { selector: { matchLabels: labels }, template },
  },
]

describe.skipIf(assets === undefined)('a real API server takes the commands:', () => {
  let plane: ControlPlane
  let root: string
  const kubectl = (...args: string[]) => runTool(join(assets ?? '', 'kubectl'), ['--kubeconfig', plane.config, ...args])

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'plimsoll-commands-'))
    plane = await startControlPlane(assets ?? '')
    await kubectl(
      'apply',
      '-f',
      put(join(root, 'objects.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })),
    )
  }, 180_000)
  afterAll(async () => {
    await plane.stop()
    rmSync(root, { recursive: true, force: true })
  })

  /** As a person runs them, up to the step of the given number. */
  async function run({ action, object }: Sample, only?: number): Promise<void> {
    const context = (await kubectl('config', 'current-context')).trim()
    const cluster = { id: 'cls_1', name: 'prod', provider: 'other', region: '', contextVariable: 'CONTEXT' }
    const steps = commandsFor(action, { object, cluster })
    const chosen = only === undefined ? steps : steps.slice(only, only + 1)
    expect(chosen.length).toBeGreaterThan(0)
    for (const command of chosen.flatMap(({ commands }) => commands))
      await startShell(command, root, { KUBECONFIG: plane.config, CONTEXT: context, OWNER: 'team-a' })
  }

  const valueOf = async (path: string, ...object: string[]) => kubectl('get', ...object, '-o', `jsonpath=${path}`)
  const isKind = (kind: string) => sampleOf(({ action }) => action.kind === kind)

  test('a load balancer ends, and then its Service', async () => {
    await run(isKind('delete_service'), 0)
    expect(await valueOf('{.spec.type}', 'service', 'front', '-n', 'shop')).toBe('ClusterIP')
    await run(isKind('delete_service'), 1)
    expect(await kubectl('get', 'service', '-n', 'shop', '-o', 'name')).toBe('')
    const saved = readdirSync(root).find((file) => file.startsWith('service-shop-front-')) ?? ''
    expect(readFileSync(join(root, saved), 'utf8')).toContain('name: front')
  })

  test('a quota is lowered', async () => {
    await run(isKind('lower_quota'))
    expect(await valueOf('{.spec.hard}', 'resourcequota', 'quota', '-n', 'shop')).toBe('{"requests.cpu":"4"}')
  })

  test('workloads get an owner, prefer spot nodes, and stop', async () => {
    await run(isKind('label_workloads'))
    await run(isKind('use_spot'))
    await run(isKind('inspect_pods'), 1)
    await run(isKind('stop_workload'))
    expect(await valueOf('{.metadata.labels.team} {.spec.replicas}', 'deployment', 'web', '-n', 'shop')).toBe(
      'team-a 0',
    )
    const spec = await valueOf('{.spec.template.spec.affinity}', 'deployment', 'web', '-n', 'shop')
    expect(spec).toContain('karpenter.sh/capacity-type')
    expect(await kubectl('get', 'daemonset', '-n', 'shop', '-o', 'name')).toBe('')
  })

  test('a namespace is scaled to 0 in the evening and back in the morning', async () => {
    const replicas = () => valueOf('{.spec.replicas}', 'deployment', 'web', '-n', 'staging')
    await run(isKind('scale_off_hours'), 0)
    expect(await replicas()).toBe('0')
    await run(isKind('scale_off_hours'), 1)
    expect(await replicas()).toBe('2')
  })

  test('a PodDisruptionBudget allows a disruption, and the node is drained and removed', async () => {
    const owner = {
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', controller: true },
      uid: '00000000-0000-0000-0000-000000000001',
    }
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...inShop('web-1'), labels: { app: 'moved' }, ownerReferences: [owner] },
      spec: { ...template.spec, nodeName: 'n-1', containers: [container] },
    }
    // The quota counts requests, which this pod does not have.
    await kubectl('delete', 'resourcequota', 'quota', '-n', 'shop')
    await plane.call('POST', '/api/v1/namespaces/shop/serviceaccounts', { metadata: { name: 'default' } })
    await plane.call('POST', '/api/v1/namespaces/shop/pods', pod)
    const sample = sampleOf(({ action }) => action.kind === 'unblock_node' && action.blocker === 'disruption-budget')
    await run(sample)
    const budget = await valueOf(
      '{.spec.maxUnavailable}/{.spec.minAvailable}',
      'poddisruptionbudget',
      'web',
      '-n',
      'shop',
    )
    expect(budget).toBe('1/')
    expect(await kubectl('get', 'pods', '-n', 'shop', '-o', 'name')).toBe('')
    expect(await kubectl('get', 'nodes', '-o', 'name')).toBe('')
  })
})
