import type { Estimate, EstimateWorkload } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { around, aSnapshot, now, type Seen } from '../../test/a-snapshot.ts'
import { packSnapshot } from '../facts/pack-snapshot.ts'
import { estimateChange } from './estimate-change.ts'
import type { WorkloadPast } from './estimate-workload.ts'
import { readWorkloads } from './read-workloads.ts'

const karpenter = { kind: 'node_pool', name: 'general', spec: { scaler: 'karpenter' } } as const
/** $0.23 an hour. */
const nodeUsd = 167.9

/** Two nodes with 3.8 cores each; `web` has one pod of 1 core and 1 GiB. */
const seen: Seen = {
  nodes: [{ name: 'a' }, { name: 'b' }],
  pods: [
    { name: 'web-1', node: 0 },
    { name: 'db-1', node: 1, millicores: 3000 },
  ],
  objects: [karpenter],
}

type Ask = Partial<EstimateWorkload> & Pick<EstimateWorkload, 'after'>
type Over = { seen?: Seen; past?: Map<string, WorkloadPast>; isUnpriced?: boolean; seesNodes?: boolean }

async function estimate(asked: Ask | Ask[], over: Over = {}): Promise<Estimate> {
  const state = aSnapshot(over.seen ?? seen)
  const given = around(state, over.isUnpriced ? { rates: new Map() } : {})
  const read = readWorkloads(
    [asked].flat().map((each) => ({ kind: 'Deployment', namespace: 'shop', name: 'web', ...each })),
  )
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.errors))
  const pack = async () => packSnapshot(state, given)
  return estimateChange({
    clusterId: 'cls_1',
    snapshot: state,
    rates: given.rates,
    past: over.past ?? new Map<string, WorkloadPast>(),
    workloads: read.workloads,
    pack: over.seesNodes === false ? undefined : pack,
  })
}

const app = (cpu: string, memory: string, replicas?: number) => ({
  ...(replicas === undefined ? {} : { replicas }),
  containers: [{ name: 'app', kind: 'app' as const, requests: { cpu, memory } }],
})
const codes = (notes: { code: string }[]) => notes.map(({ code }) => code)

test('an unchanged workload costs what it cost, and the bill stays', async () => {
  const { workloads, requests, bill, partial } = await estimate({ after: app('1', '1Gi') })
  expect(workloads[0]).toMatchObject({ change: 'unchanged', monthly_change: 0, rates: 'own_nodes', notes: [] })
  expect(workloads[0]?.before).toEqual(workloads[0]?.after)
  expect(requests).toMatchObject({ monthly_change: 0, unknown_workloads: 0 })
  expect(bill).toMatchObject({ monthly_change: 0, nodes_added: [], nodes_removed: [], notes: [] })
  expect(partial).toBe(false)
})

test('requests of a whole node cost the node, and of half a node half of it', async () => {
  const whole = await estimate({ after: app('4', '16Gi', 1) })
  expect(whole.workloads[0]?.after?.monthly_cost).toBeCloseTo(nodeUsd, 4)
  const halves = await estimate({ after: app('2', '8Gi', 3) })
  expect(halves.workloads[0]?.after?.monthly_cost).toBeCloseTo(1.5 * nodeUsd, 4)
})

test('two more pods fit into free capacity; of five, one needs a third node', async () => {
  // Node a holds three pods of 1 core, node b none beside 3 of 3.8 cores.
  const three = await estimate({ after: app('1', '1Gi', 3) })
  expect(three.bill).toMatchObject({ monthly_change: 0, summary: 'Fits into free capacity: +$0 per month' })
  const five = await estimate({ after: app('1', '1Gi', 5) })
  expect(five.bill).toMatchObject({
    monthly_change: nodeUsd,
    summary: '1 more m5.xlarge in pool general: +$167.90 per month',
    nodes_added: [{ node_pool: 'general', instance_type: 'm5.xlarge', count: 1, monthly_cost: nodeUsd }],
  })
})

test('a removed workload frees its node', async () => {
  const { bill, workloads } = await estimate({ name: 'db', after: null })
  expect(workloads[0]).toMatchObject({ change: 'removed', after: null })
  expect(bill).toMatchObject({ monthly_change: -nodeUsd, nodes_removed: [{ node: 'b' }] })
  const both = { ...seen, pods: [{ name: 'web-1', node: 0, millicores: 1000 }, { name: 'db-1', node: 1, millicores: 3000 }, { name: 'old-1', node: 0, millicores: 2000 }] } // prettier-ignore
  const kept = await estimate({ name: 'old', after: null }, { seen: both })
  expect(kept.bill).toMatchObject({ monthly_change: 0, nodes_removed: [] })
  const gone = await estimate(
    [
      { name: 'old', after: null },
      { name: 'db', after: null },
    ],
    { seen: both },
  )
  expect(gone.bill).toMatchObject({
    monthly_change: -nodeUsd,
    summary: '1 node fewer: -$167.90 per month',
    nodes_removed: [{ node_pool: 'general', monthly_cost: nodeUsd }],
  })
})

test('a new workload has the mean rates of the cluster', async () => {
  const { workloads } = await estimate({ name: 'new', after: app('4', '16Gi', 2) })
  expect(workloads[0]).toMatchObject({ change: 'added', before: null, rates: 'cluster_mean' })
  expect(workloads[0]?.monthly_change).toBeCloseTo(2 * nodeUsd, 4)
  expect(codes(workloads[0]?.notes ?? [])).toEqual(['not_in_cluster'])
})

test('a limit is the request if there is none, and a container without both is named', async () => {
  const limited = { containers: [{ name: 'app', kind: 'app' as const, limits: { cpu: '4', memory: '16Gi' } }] }
  const { workloads } = await estimate({ after: limited })
  expect(workloads[0]?.after?.monthly_cost).toBeCloseTo(nodeUsd, 4)
  const bare = await estimate({ after: { containers: [{ name: 'app', kind: 'app' }] } })
  expect(bare.workloads[0]?.notes).toMatchObject([{ code: 'no_request', detail: expect.stringContaining('no CPU and no memory') as string }]) // prettier-ignore
})

test('an autoscaler sets the replicas: their mean counts, and a share of the request is named', async () => {
  const spec = { scaler: 'hpa', target_kind: 'Deployment', target_name: 'web', replicas_min: 1, replicas_max: 9, cpu_target_percent: 80 } as const // prettier-ignore
  const scaled = {
    ...seen,
    objects: [karpenter, { kind: 'autoscaler', name: 'web', namespace: 'shop', spec } as const],
  }
  const past = new Map([['shop/Deployment/web', { hours: 10, podSeconds: 25 * 3600, cpuMicrocores: 500_000, memoryKib: null, from: new Date(0), to: new Date(1) }]]) // prettier-ignore
  const { workloads } = await estimate({ after: app('4', '16Gi', 7) }, { seen: scaled, past })
  expect(workloads[0]?.after).toMatchObject({ replicas: 2.5, replicas_from: 'autoscaler' })
  expect(workloads[0]?.after?.monthly_cost).toBeCloseTo(2.5 * nodeUsd, 4)
  expect(workloads[0]?.usage).toEqual({ cpu_cores: 0.5, memory_bytes: null, replicas: 2.5, hours: 10 })
  expect(codes(workloads[0]?.notes ?? [])).toEqual(['scaled_by_autoscaler', 'scales_on_requests'])
})

test('a CronJob costs its runs × its past run time, and a run time that is not known is not 0', async () => {
  const job = { kind: 'CronJob', name: 'report', before: { ...app('4', '16Gi'), schedule: '0 * * * *' } }
  const unknown = await estimate({ ...job, after: { ...app('4', '16Gi'), schedule: '0 0 * * *' } })
  expect(unknown.workloads[0]).toMatchObject({ monthly_change: null, after: { monthly_cost: null, replicas: null } })
  expect(codes(unknown.workloads[0]?.notes ?? [])).toContain('run_time_unknown')
  expect(unknown).toMatchObject({ partial: true, requests: { unknown_workloads: 1, monthly_change: 0 } })
  // In ten hours ten runs with half an hour each: half a node. Twice as often: a whole node.
  const [from, to] = [new Date(now * 1000), new Date((now + 36_000) * 1000)]
  const past = new Map([['shop/CronJob/report', { hours: 10, podSeconds: 10 * 1800, cpuMicrocores: null, memoryKib: null, from, to }]]) // prettier-ignore
  const known = await estimate({ ...job, after: { ...app('4', '16Gi'), schedule: '0,30 * * * *' } }, { past })
  expect(known.workloads[0]?.before?.monthly_cost).toBeCloseTo(nodeUsd / 2, 2)
  expect(known.workloads[0]?.after?.monthly_cost).toBeCloseTo(nodeUsd, 2)
  expect(codes(known.bill.notes)).toEqual(['not_placed'])
  const suspended = await estimate({ ...job, after: { ...app('4', '16Gi'), suspended: true } }, { past })
  expect(suspended.workloads[0]?.after).toMatchObject({ replicas: 0, monthly_cost: 0 })
})

test('a Job has no monthly cost, and says so', async () => {
  const { workloads } = await estimate({ kind: 'Job', name: 'migrate', after: app('1', '1Gi') })
  expect(workloads[0]).toMatchObject({ monthly_change: null })
  expect(codes(workloads[0]?.notes ?? [])).toContain('one_off_job')
})

test('a new DaemonSet has a pod on each node', async () => {
  const { workloads, bill } = await estimate({ kind: 'DaemonSet', name: 'logs', after: app('100m', '64Mi') })
  expect(workloads[0]?.after).toMatchObject({ replicas: 2, replicas_from: 'nodes' })
  expect(bill.monthly_change).toBe(0)
})

test('injected containers stay, and removed containers go', async () => {
  const containers = [
    { name: 'app', kind: 'app' as const, cpu_request: 1000, memory_request: 1024 * 1024 },
    { name: 'proxy', kind: 'app' as const, cpu_request: 500, memory_request: 1024 * 1024 },
  ]
  const more: Seen['more'] = (writer) =>
    writer.addPod({
      ...{ ref: 700, uid: 'mesh', from: now - 60, name: 'mesh-1', namespace: 'shop', nodeRef: 1, boundAt: now - 60 },
      ...{ phase: 'running', shape: { containers }, workloadKind: 'Deployment', workloadName: 'mesh', labels: {} },
    })
  const given = { seen: { ...seen, more } }
  const kept = await estimate({ name: 'mesh', before: app('1', '1Gi', 1), after: app('1', '1Gi', 1) }, given)
  expect(kept.workloads[0]).toMatchObject({ change: 'unchanged', after: { cpu_cores: 1.5 } })
  const before = { replicas: 1, containers: [...app('1', '1Gi').containers, { name: 'proxy', kind: 'app' as const, requests: { cpu: '500m', memory: '1Gi' } }] } // prettier-ignore
  const removed = await estimate({ name: 'mesh', before, after: app('1', '1Gi', 1) }, given)
  expect(removed.workloads[0]).toMatchObject({ before: { cpu_cores: 1.5 }, after: { cpu_cores: 1 } })
})

test('without prices the cost is unknown, and not 0', async () => {
  const { workloads, partial, requests } = await estimate({ after: app('2', '1Gi') }, { isUnpriced: true })
  expect(workloads[0]).toMatchObject({ monthly_change: null, notes: [{ code: 'not_priced' }] })
  expect({ partial, unknown: requests.unknown_workloads }).toEqual({ partial: true, unknown: 1 })
})

test('a state before the change that differs from the cluster is named, and the bill starts from the cluster', async () => {
  const { workloads } = await estimate({ before: app('2', '1Gi', 1), after: app('3', '1Gi', 1) })
  expect(codes(workloads[0]?.notes ?? [])).toEqual(['differs_from_cluster'])
})

test('too many pods are not simulated, pods that fit nowhere are named, and a narrowed role sees no bill', async () => {
  const many = await estimate({ after: app('1', '1Gi', 1_000_000) })
  expect(many.bill).toMatchObject({ monthly_change: null, notes: [{ code: 'too_many_pods' }] })
  expect(many.workloads[0]?.after?.monthly_cost).toBeGreaterThan(1e6)
  const large = await estimate({ after: app('64', '1Gi', 1) })
  expect(large.bill).toMatchObject({ monthly_change: null, notes: [{ code: 'fits_nowhere' }] })
  const narrowed = await estimate({ after: app('2', '1Gi') }, { seesNodes: false })
  expect(narrowed.bill).toMatchObject({ monthly_change: null, notes: [{ code: 'role_narrowed' }] })
})

test('each wrong quantity and schedule is named with its place', () => {
  const read = (requests: Record<string, string>, more: object = {}) => {
    const after = { containers: [{ name: 'app', kind: 'app' as const, requests }], ...more }
    const result = readWorkloads([{ kind: 'Deployment', namespace: 'shop', name: 'web', after }])
    return result.kind === 'invalid' ? result.errors.map(({ pointer, code }) => `${pointer} ${code}`) : []
  }
  const at = '/workloads/0/after'
  expect(read({ cpu: '-1', memory: 'lots', 'nvidia.com/gpu': '1Ei9' })).toEqual([
    `${at}/containers/0/cpu negative`,
    `${at}/containers/0/memory invalid`,
    `${at}/containers/0/nvidia.com/gpu invalid`,
  ])
  expect(read({ memory: '9999999999999999E' })).toEqual([`${at}/containers/0/memory too_large`])
  expect(read({ cpu: '1' }, { schedule: '* * * * *' })).toEqual([`${at}/schedule combination`])
  const twice = { kind: 'Pod', namespace: 'a', name: 'b', after: null }
  expect(readWorkloads([twice, twice])).toMatchObject({ errors: [{ code: 'duplicate' }] })
})
