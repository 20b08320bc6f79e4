import { join } from 'node:path'
import type {
  Cluster,
  ManifestResult,
  Recommendation,
  RecommendationList,
  Savings,
  WorkloadCost,
  WorkloadList,
} from '@plimsoll/contract'
import type { ManifestFormat } from '@plimsoll/engine/vocabulary'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findAssets } from '../../../../test/control-plane.ts'
import { startShell } from '../manifests/kube-tools.ts'
import { put } from '../manifests/render.ts'
import { connect, type Connected } from './connect.ts'
import { startMetricsServer } from './metrics-server.ts'
import { findMetricsTools, startPrometheus, type UsedSeries } from './prometheus.ts'
import { deployShop } from './deploy-shop.ts'
import { startRealCluster, type Pod, type RealCluster } from './real-cluster.ts'

const assets = findAssets() ?? ''
const tools = findMetricsTools() ?? ''
/** A user may send 100 requests per minute. */
const wait = { timeout: 300_000, interval: 4000 }
const daySeconds = 86_400
const mebibyte = 1024 ** 2

/** Two pods each of cache, api, db and front, three of web, and one of logs on each of the six nodes. */
const podCount = 4 * 2 + 3 + 6

/** Every workload is changed with a manifest of this format. */
const formats: Record<string, ManifestFormat> = {
  'Deployment web': 'kustomize',
  'Deployment front': 'helm',
  'Deployment cache': 'json-patch',
  'StatefulSet db': 'strategic-merge',
  'DaemonSet logs': 'yaml',
  'CronJob report': 'json-patch',
}

let cluster: RealCluster
const ending: (() => Promise<unknown>)[] = []

async function connected(name: string, ...agentArgs: string[]): Promise<Connected> {
  const made = await connect(cluster, name, agentArgs)
  ending.push(made.stop)
  return made
}

/** 15 days of usage until an hour from now: of the pods that run, and of hourly runs of the CronJob. */
function usageOf(pods: readonly Pod[], now: number): UsedSeries[] {
  const [from, to] = [now - 15 * daySeconds, now + 3600]
  const wave = (second: number) => Math.sin((second / daySeconds) * 2 * Math.PI)
  const figures = {
    cores: (second: number) => 0.15 + 0.05 * wave(second),
    memoryBytes: (second: number) => (300 + 20 * wave(second)) * mebibyte,
  }
  const running = pods.flatMap(({ metadata, spec }) =>
    spec.containers.map(({ name }) => ({
      ...{ namespace: metadata.namespace, pod: metadata.name, container: name, from, to },
      ...figures,
    })),
  )
  const runs = Array.from({ length: 15 * 24 }, (_, index) => {
    const start = (Math.floor(from / 3600) + index) * 3600
    const pod = `report-${start / 60}-${(index + 36 ** 4).toString(36)}`
    return { namespace: 'shop', pod, container: 'report', from: start, to: start + 1200, ...figures }
  })
  return [...running, ...runs]
}

const nameOf = ({ workload }: Recommendation) => `${workload?.kind} ${workload?.name}`

/** Waits until every workload has a right-sizing recommendation. */
const findAdvice = ({ ask, clusterId, agentLog }: Connected) =>
  vi.waitFor(async () => {
    const list = await ask<RecommendationList>(`/api/v1/recommendations?cluster_id=${clusterId}&limit=500`)
    const found = list.recommendations.filter(
      (each) => each.change.action === 'set_requests' && nameOf(each) in formats,
    )
    expect(found.map(nameOf).sort(), agentLog()).toEqual(Object.keys(formats).sort())
    return found
  }, wait)

/** Fetches the manifest and runs the printed commands of its format. */
async function follow({ ask }: Connected, recommendation: Recommendation): Promise<void> {
  const format = formats[nameOf(recommendation)] ?? 'yaml'
  const body = { recommendation_ids: [recommendation.id], format }
  const { files, apply, skipped } = await ask<ManifestResult>('/api/v1/gitops/manifests', body)
  expect(skipped).toEqual([])
  const checkout = join(cluster.directory, 'checkout')
  for (const { path, content } of files) put(join(checkout, path), content)
  const tool = format === 'kustomize' || format === 'helm' ? format : 'kubectl'
  const steps = apply.filter((step) => step.tool === tool)
  expect(steps, JSON.stringify(apply)).not.toEqual([])
  const variables = { KUBECONFIG: cluster.plane.config, CHART: './chart' }
  for (const { command } of steps) await startShell(command, checkout, variables)
  if (format === 'kustomize') await cluster.kubectl('apply', '-k', checkout)
  await ask(`/api/v1/recommendations/${recommendation.id}/apply`, {})
}

/** Requests snapshots until the changes are observed. */
const awaitVerified = ({ ask, clusterId, agentLog }: Connected, done: readonly Recommendation[]) =>
  vi.waitFor(
    async () => {
      await ask(`/api/v1/clusters/${clusterId}/sync`, {})
      const now = await Promise.all(done.map(({ id }) => ask<Recommendation>(`/api/v1/recommendations/${id}`)))
      expect(
        now.map((each) => [nameOf(each), each.verification]),
        agentLog(),
      ).toEqual(done.map((each) => [nameOf(each), 'verified']))
    },
    { ...wait, interval: 10_000 },
  )

const isMeasured = ({ cpu_cores: cpu, memory_bytes: memory }: WorkloadCost) =>
  (cpu.used ?? 0) > 0 && (memory.used ?? 0) > 0

describe.skipIf(assets === '' || tools === '')('a real cluster', () => {
  beforeAll(async () => {
    cluster = await startRealCluster(assets, { deploy: deployShop })
    ending.push(cluster.stop)
  }, 600_000)

  afterAll(async () => {
    for (const end of ending.reverse()) await end()
  }, 120_000)

  test('with Prometheus: 15 days of usage become recommendations, manifests, verified changes and savings', async () => {
    const series = usageOf(await cluster.runningPods(podCount), Math.floor(Date.now() / 60_000) * 60)
    const { directory, kubectl } = cluster
    const prometheus = await startPrometheus(tools, { directory, series })
    ending.push(prometheus.stop)
    const history = ['--prometheus-url', prometheus.url, '--history-days', '15']
    const session = await connected('prometheus', '--usage', 'prometheus', ...history)

    const advice = await findAdvice(session)
    for (const each of advice) await follow(session, each)
    // A run with the changed template.
    await kubectl('create', 'job', 'report-again', '--from', 'cronjob/report', '-n', 'shop')
    await awaitVerified(session, advice)

    const { total } = await session.ask<Savings>(`/api/v1/savings?cluster_id=${session.clusterId}`)
    expect(total.observed).toBeGreaterThan(0)
    expect(total.verified).toBeGreaterThan(0)
  }, 900_000)

  test.each(['kubelet', 'metrics-server'] as const)(
    'with %s: container usage is measured',
    async (source) => {
      if (source === 'metrics-server') ending.push((await startMetricsServer(tools, cluster)).stop)
      const kubelet = source === 'kubelet' ? 'on' : 'off'
      const { ask, clusterId, agentLog } = await connected(source, '--usage', source, '--kubelet', kubelet)
      await vi.waitFor(async () => {
        const { conditions, monthly_cost: cost } = await ask<Cluster>(`/api/v1/clusters/${clusterId}`)
        const usage = conditions.find(({ type }) => type === 'usage')
        expect(usage, agentLog()).toMatchObject({ ok: true, reason: source })
        expect(cost).toBeGreaterThan(0)
        const { workloads } = await ask<WorkloadList>(`/api/v1/clusters/${clusterId}/workloads?window=24h&limit=500`)
        expect(
          workloads.filter(isMeasured).map(({ name }) => name),
          agentLog(),
        ).toContain('web')
      }, wait)
    },
    600_000,
  )
})
