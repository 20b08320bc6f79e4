import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ManifestResult, Plan, PlanStep, Savings } from '@plimsoll/contract'
import { gcpPlatform as scenario } from '@plimsoll/simulator'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findAssets } from '../../../../test/control-plane.ts'
import { isFull } from '../../../../test/rounds.ts'
import { connect, type Connected } from '../end-to-end/connect.ts'
import { findMetricsTools, startPrometheus } from '../end-to-end/prometheus.ts'
import { startRealCluster, type RealCluster } from '../end-to-end/real-cluster.ts'
import { startShell } from '../manifests/kube-tools.ts'
import { put } from '../manifests/render.ts'
import { copyCluster, identitiesOf } from './copied-cluster.ts'
import { copyUsage } from './copied-usage.ts'
import { livePast, type Past } from './past.ts'
import { allRunning, listPending, placeAsInDemo } from './placement.ts'
import { startStandInCloud } from './stand-in-cloud.ts'

const assets = findAssets(['kube-scheduler', 'kube-controller-manager', 'kwok']) ?? ''
const tools = findMetricsTools() ?? ''
/** A user may send 100 requests per minute. */
const wait = { timeout: 300_000, interval: 4000 }
const hourSeconds = 3600

/** protect, remove and remove: the node of an idle GPU and an unmounted volume leave the bill. */
const stepsDone = 3

let past: Past
let cluster: RealCluster
let bin: string
const ending: (() => Promise<unknown>)[] = []

// It takes minutes, so only `npm run prove` runs it.
describe.skipIf(assets === '' || tools === '' || !isFull)('a newcomer with a copy of the demo cluster', () => {
  beforeAll(async () => {
    past = livePast(scenario, Math.floor(Date.now() / 60_000) * 60)
    cluster = await startRealCluster(assets, {
      // As a restored backup: the objects have the identity and age that they have in the demo.
      prepare: async ({ kubectl, directory, plane }) => {
        const list = { apiVersion: 'v1', kind: 'List', items: copyCluster(scenario, past.living) }
        await kubectl('apply', '-f', put(join(directory, 'objects.json'), JSON.stringify(list)))
        for (const { key, ...identity } of identitiesOf(scenario, past.living)) await plane.editMetadata(key, identity)
      },
      place: (copy) => placeAsInDemo(copy, past.living),
    })
    ending.push(cluster.stop)
    const cloud = await startStandInCloud(cluster, scenario)
    ending.push(cloud.stop)
    bin = cloud.bin
  }, 600_000)

  afterAll(async () => {
    for (const end of ending.reverse()) await end()
  }, 120_000)

  test('carries out the first steps with the shown commands, and the bill falls by the promised amount', async () => {
    const time = { from: past.second - 24 * hourSeconds, to: past.second + 3 * hourSeconds }
    const series = copyUsage(scenario, await allRunning(cluster), time)
    const prometheus = await startPrometheus(tools, { directory: cluster.directory, series })
    ending.push(prometheus.stop)
    const usage = ['--usage', 'prometheus', '--prometheus-url', prometheus.url, '--history-days', '1']
    const session = await connect(cluster, scenario.name, usage, past.send)
    ending.push(session.stop)

    const { run_rate: runRate, steps: all } = await readPlan(session)
    const steps = all.slice(0, stepsDone)
    const billAfter = steps.at(-1)?.run_rate_after ?? NaN
    for (const step of steps) await carryOut(session, step)
    const { total } = await awaitVerified(session, steps)

    const lines = steps.map((step) => `${step.number}. ${step.title}: -$${step.savings.toFixed(2)}/month`)
    const ratio = (total.off_the_bill / total.promised).toFixed(3)
    const sums = `promised $${total.promised}, off the bill $${total.off_the_bill}, ratio ${ratio}`
    process.stdout.write(`${[...lines, sums, `bill $${runRate} -> $${billAfter}`].join('\n')}\n`)
    expect(total.off_the_bill).toBeCloseTo((runRate ?? NaN) - billAfter, 2)
    expect(total).toMatchObject({
      promised: total.off_the_bill,
      not_observed: 0,
      capacity_freed: 0,
      price_difference: 0,
    })
    expect(await listPending(cluster)).toEqual([])
    const named = steps.flatMap(({ nodes }) => nodes.map(({ name }) => `node/${name}`))
    const left = (await cluster.kubectl('get', 'nodes', '-o', 'name')).split('\n')
    expect(named.filter((name) => left.includes(name))).toEqual([])
    expect(named.length).toBeGreaterThan(0)
  }, 1_500_000)
})

/** Waits until two analyses in a row find the same steps. */
async function readPlan({ ask, clusterId, agentLog }: Connected): Promise<Plan> {
  let before: Plan | undefined
  const idsOf = (plan: Plan | undefined) => plan?.steps.map(({ id }) => id)
  return vi.waitFor(
    async () => {
      await ask(`/api/v1/clusters/${clusterId}/sync`, {})
      const plan = await ask<Plan>(`/api/v1/clusters/${clusterId}/plan`)
      const earlier = before
      if (before?.analysed_at !== plan.analysed_at) before = plan
      expect(plan.analysed_at, agentLog()).not.toBe(earlier?.analysed_at)
      expect(idsOf(plan)).toEqual(idsOf(earlier))
      expect(plan.steps.length).toBeGreaterThan(stepsDone)
      return plan
    },
    { ...wait, interval: 10_000 },
  )
}

/** Approves the step, pastes what the product shows, and marks the step as implemented. */
async function carryOut({ ask, clusterId }: Connected, { id, recommendations }: PlanStep): Promise<void> {
  await ask(`/api/v1/clusters/${clusterId}/plan/steps/${id}/approve`, {})
  const shown = { cluster_id: clusterId, step_id: id, format: 'strategic-merge' }
  const { files, apply, commands, skipped } = await ask<ManifestResult>('/api/v1/gitops/manifests', shown)
  const runnable = commands.map((each) => each.recommendation_id)
  expect(skipped.filter((each) => !runnable.includes(each.recommendation_id))).toEqual([])
  const checkout = join(cluster.directory, id)
  mkdirSync(checkout)
  for (const { path, content } of files) put(join(checkout, path), content)
  const patches = apply.filter(({ tool }) => tool === 'kubectl').map(({ command }) => command)
  const lines = commands.flatMap(({ steps }) => steps.flatMap((step) => step.commands))
  // The context is the only input of the reader.
  const reader = { KUBECONFIG: cluster.plane.config, CONTEXT: 'local' }
  const path = [bin, assets, process.env.PATH].join(delimiter)
  await startShell(['set -e', `PATH=${path}`, ...patches, ...lines].join('\n'), checkout, reader)
  await ask('/api/v1/recommendations/batch', { action: 'apply', ids: recommendations.map((each) => each.id) })
}

/** Requests snapshots until Savings shows every step as verified, and all that it promised. */
const awaitVerified = ({ ask, clusterId, agentLog }: Connected, done: readonly PlanStep[]) =>
  vi.waitFor(
    async () => {
      await ask(`/api/v1/clusters/${clusterId}/sync`, {})
      const { steps } = await ask<Savings>(`/api/v1/savings?cluster_id=${clusterId}&include=steps`)
      const rowOf = (id: string) => steps?.rows.find((row) => row.id === id)
      const known = done.map(({ id }) => ({ state: rowOf(id)?.state, not_observed: rowOf(id)?.not_observed }))
      expect(known, `${JSON.stringify(steps)} ${agentLog()}`).toEqual(
        done.map(() => ({ state: 'verified', not_observed: 0 })),
      )
      if (!steps) throw new Error('Savings has no steps')
      return steps
    },
    { ...wait, interval: 10_000 },
  )
