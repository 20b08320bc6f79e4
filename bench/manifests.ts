/**
 * The time to render 500 recommendations as manifests: mean of several runs, including the reads.
 *
 * npm run bench:manifests -- --runs 10
 */
import { parseArgs } from 'node:util'
import {
  renderManifests,
  type LiveContainer,
  type LiveWorkload,
  type ManifestRequest,
} from '../packages/engine/src/manifests/index.ts'
import { MANIFEST_FORMATS } from '../packages/engine/src/vocabulary/index.ts'
import {
  containerOverprovisioned,
  NO_EVIDENCE,
  type Evidence,
  type RuleFinding,
} from '../packages/engine/src/rules/index.ts'
import { writeWorkloadShapes } from '../packages/server/src/recommendations/queries/workload-shapes.ts'
import { presentManifests } from '../packages/server/src/manifests/present-manifests.ts'
import { readRequest } from '../packages/server/src/manifests/read-request.ts'
import { storeFindings } from '../packages/server/src/recommendations/store-findings.ts'
import { benchCluster, withBenchDatabase, type BenchDatabase } from './lib/bench-app.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' } } })
const runs = Number(values.runs)
const count = 500
const now = new Date('2026-03-01T12:00:00Z')

await withBenchDatabase(measure)

async function measure({ db }: BenchDatabase): Promise<void> {
  const clusterId = await benchCluster(db, now)
  const live = Array.from({ length: count }, (_, index) => workloadOf(index))
  const findings = live.map(findingOf)
  const observe = () => ({ kind: 'unknown' as const })
  await db.transaction().execute(async (tx) => {
    await storeFindings(tx, clusterId, { observedAt: now, findings, withheld: [], observe }, now)
    const shapes = live.map((shape) => ({ namespace: shape.namespace, kind: shape.kind, name: shape.name, shape }))
    await writeWorkloadShapes(tx, clusterId, shapes)
  })
  const rows = await db.selectFrom('recommendation').select('recommendation_id as id').execute()
  const ids = rows.map(({ id }) => id)
  const grant = { permissions: new Set<never>(), clusters: null, namespaces: null, teams: null }

  console.log(`${ids.length} recommendations of ${count} workloads, rendered to the response body; the aim is 200 ms`)
  for (const format of MANIFEST_FORMATS) {
    const helm = { valuesPath: undefined, chart: undefined }
    const read = () => readRequest(db, grant, { ids, format, helm, kustomizeBase: null })
    const render = (wanted: ManifestRequest) => JSON.stringify(presentManifests(format, renderManifests(wanted)))
    const text = render(await read())
    let [readMs, renderMs] = [0, 0]
    for (let run = 0; run < runs; run += 1) {
      const start = performance.now()
      const wanted = await read()
      const isRead = performance.now()
      render(wanted)
      readMs += isRead - start
      renderMs += performance.now() - isRead
    }
    const mean = (ms: number) => `${(ms / runs).toFixed(0).padStart(4)} ms`
    const { files } = JSON.parse(text) as { files: unknown[] }
    console.log(
      `${format.padEnd(16)}${mean(renderMs)}, read from the database in${mean(readMs)}; ${files.length} files, ${(text.length / 1024).toFixed(0)} KiB`,
    )
  }
}

function workloadOf(index: number): LiveWorkload {
  const nothing = { cpuMillicores: null, memoryKib: null }
  const containers = ['app', 'proxy', 'logs'].map((name, position): LiveContainer => ({
    name,
    list: 'containers',
    index: position,
    isSidecar: false,
    requestKeys: ['cpu', 'memory'],
    limitKeys: ['memory'],
    hasClaims: false,
    requests: { cpuMillicores: 1000, memoryKib: 1024 * 1024 },
    limits: { cpuMillicores: null, memoryKib: 2 * 1024 * 1024 },
  }))
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: `ns-${index % 30}`,
    name: `workload-${index}`,
    replicas: 3,
    containers,
    injected: [],
    isTemplateSeen: true,
    podRequests: nothing,
    podLimits: nothing,
    labels: { 'helm.sh/chart': 'web-1.0.0', 'app.kubernetes.io/instance': `release-${index}` },
    annotations: { 'plimsoll.dev/helm-values-path': 'web.resources' },
    owner: null,
    autoscaler: null,
    limitRange: null,
    quota: null,
    largestNode: null,
  }
}

function findingOf({ kind, namespace, name }: LiveWorkload): RuleFinding {
  const target = { kind, namespace, name, container: 'app' }
  const fields = [
    { path: 'resources.requests.cpu', from: '1', to: '250m' },
    { path: 'resources.requests.memory', from: '1Gi', to: '512Mi' },
  ]
  return {
    kind: 'finding',
    ruleId: containerOverprovisioned.id,
    category: 'cpu_memory',
    severity: 'medium',
    target,
    title: `Container app of ${name} requests more than it needs`,
    podName: `${name}-0`,
    workload: { kind, name, container: 'app' },
    currentSpec: { cpuMillicores: 1000, memoryKib: 1024 * 1024 },
    recommendedSpec: { cpuMillicores: 250, memoryKib: 512 * 1024 },
    change: { action: 'set_requests', object: target, summary: 'Lower the request.', fields },
    estimatedUsdPerMonth: 10,
    bankableUsdPerMonth: null,
    costUsdPerMonth: null,
    risk: 'low',
    confidence: 'high',
    isUrgent: false,
    basis: 'as it is',
    checks: [],
    bankableBecause: '',
    evidence: usualEvidence(),
  }
}

/** Evidence of the size of a container with two weeks of data. */
function usualEvidence(): Evidence {
  const hours = Array.from({ length: 14 * 24 }, (_, hour) => 100 + (hour % 24) * 7.25)
  const band = { p50: hours, p90: hours, max: hours }
  const spec = { cpuMillicores: 250, memoryKib: 512 * 1024 }
  const short = { minutesShort: 1.5, volumeShort: 0.001, oomDays: 0 }
  return {
    ...NO_EVIDENCE,
    window: { from: 1_770_000_000, to: 1_770_000_000 + 14 * 86_400 },
    coverage: 1,
    cpuMillicores: { p50: 100, p90: 150, p95: 180, p99: 220, max: 240 },
    memoryKib: { p50: 1, p90: 2, p95: 3, p99: 4, max: 500_000 },
    hourlyCpuMillicores: band,
    hourlyMemoryKib: band,
    backtest: (['current', 'proposed', 'vpa', 'krr'] as const).map((who) => ({
      ...{ who, spec, risk: 'low' as const, estimatedUsdPerMonth: 10 },
      ...short,
    })),
    candidates: Array.from({ length: 128 }, () => ({ spec, estimatedUsdPerMonth: 10, ...short })),
  }
}
