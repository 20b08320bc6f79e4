import { containerOverprovisioned, NO_EVIDENCE, type RuleFinding } from '../../packages/engine/src/rules/index.ts'
import { noteAdviceChange } from '../../packages/server/src/recommendations/queries/advice-revision.ts'
import type { Db } from '../../packages/server/src/platform/db/database.ts'
import { storeFindings } from '../../packages/server/src/recommendations/store-findings.ts'

/** Stores the findings of an analysis, as the job does. */
export function store(db: Db, clusterId: string, findings: RuleFinding[], now: Date): Promise<unknown> {
  const observe = () => ({ kind: 'unknown' as const })
  const found = { observedAt: now, findings, withheld: [], observe }
  return db.transaction().execute(async (tx) => {
    await storeFindings(tx, clusterId, found, now)
    await noteAdviceChange(tx, [clusterId])
  })
}

/** One of many findings, each about another workload. */
export function findingOf(index: number): RuleFinding {
  const name = `workload-${index}`
  const target = { kind: 'Deployment', namespace: `ns-${index % 300}`, name, container: 'app' }
  const severities = ['low', 'medium', 'high', 'critical'] as const
  return {
    kind: 'finding',
    ruleId: containerOverprovisioned.id,
    category: 'cpu_memory',
    severity: severities[index % 4] ?? 'low',
    target,
    title: `Container app of ${name} requests more than it needs`,
    podName: `${name}-7d9c8b5f6-x2x4z`,
    workload: { kind: 'Deployment', name, container: 'app' },
    currentSpec: { cpuMillicores: 1000, memoryKib: 1024 * 1024 },
    recommendedSpec: { cpuMillicores: 250, memoryKib: 512 * 1024 },
    change: { action: 'set_requests', object: target, summary: 'Lower the request.', fields: [] },
    estimatedUsdPerMonth: (index * 7919) % 1000,
    bankableUsdPerMonth: (index * 104_729) % 500,
    costUsdPerMonth: null,
    risk: index % 2 === 0 ? 'low' : 'medium',
    confidence: 'high',
    isUrgent: false,
    basis: 'as it is',
    checks: [],
    bankableBecause: '',
    evidence: NO_EVIDENCE,
  }
}
