import {
  NO_EVIDENCE,
  targetKey,
  type Observation,
  type RuleFinding,
  type RuleWithheld,
  type Target,
} from '@plimsoll/engine/rules'
import { noteAdviceChange } from '../src/recommendations/queries/advice-revision.ts'
import { findHistoryReceivedAt } from '../src/ingest/queries/backfills.ts'
import { lockAnalysis } from '../src/recommendations/queries/findings.ts'
import { storeFindings } from '../src/recommendations/store-findings.ts'
import type { Reconciled } from '@plimsoll/pipeline/advice'
import type { TestApp } from './test-app.ts'

type Wanted = Partial<Omit<RuleFinding, 'target'>> & { name?: string; namespace?: string; container?: string }

/** A container that requests 1 core and 1 GiB and should request half of it: $10/month. */
export function aFinding({ name = 'web', namespace = 'shop', container = 'app', ...rest }: Wanted = {}): RuleFinding {
  const target: Target = { kind: 'Deployment', namespace, name, container }
  const current = { cpuMillicores: 1000, memoryKib: 1024 * 1024 }
  const recommended = { cpuMillicores: 500, memoryKib: 512 * 1024 }
  return {
    kind: 'finding',
    ruleId: 'container_overprovisioned',
    category: 'cpu_memory',
    severity: 'medium',
    target,
    title: `Lower requests of ${name}`,
    podName: `${name}-0`,
    workload: { kind: 'Deployment', name, container },
    currentSpec: current,
    recommendedSpec: recommended,
    change: { action: 'set_requests', object: target, summary: 'Ask for half.', fields: [] },
    estimatedUsdPerMonth: 10,
    bankableUsdPerMonth: 4,
    costUsdPerMonth: 20,
    risk: 'low',
    confidence: 'high',
    isUrgent: false,
    basis: 'as it was',
    checks: [],
    bankableBecause: '',
    evidence: NO_EVIDENCE,
    ...rest,
  }
}

export type Analysed = {
  findings?: RuleFinding[]
  withheld?: RuleWithheld[]
  /** By target; other fields are those of the finding. */
  observed?: Record<string, Observation>
  /** Time of the snapshot; default: now. */
  observedAt?: Date
  /** Bankable savings of open recommendations, by rule and target. */
  credits?: ReadonlyMap<string, number>
  /** Cost of the cluster; default: unknown. */
  clusterUsdPerMonth?: number
  /** Amount of known history at that time; default: all of it. */
  historyReceivedAt?: Date | null
}

const asBefore: Observation = { kind: 'seen', cpuMillicores: 1000, memoryKib: 1024 * 1024, replicas: 1, price: null }

/** Stores an analysis with this finding, as the job does. */
export function analysed(
  { db, clock }: Pick<TestApp, 'db' | 'clock'>,
  clusterId: string,
  { findings = [], withheld = [], observed = {}, observedAt = clock.now, ...rest }: Analysed,
): Promise<Reconciled> {
  const observe = (target: Target) => observed[targetKey(target)] ?? asBefore
  return db.transaction().execute(async (tx) => {
    await lockAnalysis(tx, clusterId)
    const historyReceivedAt = await findHistoryReceivedAt(tx, clusterId)
    const found = { historyReceivedAt, observedAt, findings, withheld, observe, ...rest }
    const result = await storeFindings(tx, clusterId, found, clock.now)
    await noteAdviceChange(tx, [clusterId])
    return result
  })
}

/** The IDs of the stored recommendations of a cluster, by name of the workload. */
export async function idsOf({ db }: Pick<TestApp, 'db'>, clusterId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('recommendation')
    .select(['recommendation_id', 'workload_name'])
    .where('cluster_id', '=', clusterId)
    .orderBy('created_at')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.workload_name ?? '', row.recommendation_id]))
}
