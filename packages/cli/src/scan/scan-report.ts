import { formatDecimal } from '@plimsoll/engine'
import type { OfflineAnalysis } from '@plimsoll/pipeline'
import { count, text, usd } from '../output/cells.ts'
import { tableOf, type Presentation } from '../output/presentation.ts'
import type { ReadCluster } from './read-cluster.ts'

/** The JSON output of a scan. Amounts are USD per month. */
export type ScanReport = ReturnType<typeof scanReport>

const money = (value: number) => Number(value.toFixed(6))

export function scanReport({ observedAt, missing }: ReadCluster, found: OfflineAnalysis, priceList: string) {
  const { runRate, requested, analysis } = found
  const target = (each: { kind: string; namespace: string; name: string } | null) =>
    each && { kind: each.kind, namespace: each.namespace, name: each.name }
  return {
    observed_at: new Date(observedAt * 1000).toISOString(),
    price_list: priceList,
    nodes: found.nodes,
    pods: found.pods,
    run_rate: {
      total: money(runRate.total),
      compute: money(runRate.compute),
      storage: money(runRate.storage),
      load_balancer: money(runRate.loadBalancer),
      overhead: money(runRate.overhead),
      unpriced_resources: runRate.unpriced,
    },
    compute: { requested: money(requested.requested), unallocated: money(requested.unallocated) },
    namespaces: requested.byNamespace.map(({ namespace, requested: each }) => ({ namespace, requested: money(each) })),
    plan: analysis.plan
      ? {
          savings: Number(formatDecimal(analysis.plan.usdPerMonth)),
          is_complete: analysis.plan.isComplete,
          steps: analysis.plan.steps.map((step, index) => ({
            number: index + 1,
            kind: step.kind,
            title: step.title,
            savings: Number(formatDecimal(step.usdPerMonth)),
            risk: step.risk,
            nodes: step.nodes.map(({ name }) => name),
          })),
        }
      : null,
    recommendations: analysis.findings.map((finding) => ({
      rule_id: finding.ruleId,
      title: finding.title,
      severity: finding.severity,
      risk: finding.risk,
      target: target(finding.target),
      summary: finding.change.summary,
      estimated_savings: money(finding.estimatedUsdPerMonth),
      bankable_savings: finding.bankableUsdPerMonth === null ? null : money(finding.bankableUsdPerMonth),
    })),
    withheld: analysis.withheld.map(({ ruleId, target: object, reason, detail, unlock }) => ({
      rule_id: ruleId,
      target: target(object),
      reason,
      detail,
      unlock,
    })),
    missing,
    rejected: found.rejections,
  }
}

/** The plan is the table; JSON has the recommendations and the withheld reasons too. */
export function presentScan({ run_rate: rate, compute, plan, ...report }: ScanReport): Presentation {
  const [largest] = report.namespaces
  const estimated = report.recommendations.reduce((sum, { estimated_savings: each }) => sum + each, 0)
  return {
    facts: [
      ['Nodes', count(report.nodes)],
      ['Pods', count(report.pods)],
      ['Run rate per month', usd(rate.total)],
      ['Compute', usd(rate.compute)],
      ['Storage', usd(rate.storage)],
      ['Load balancers', usd(rate.load_balancer)],
      ['Overhead', usd(rate.overhead)],
      ['Requested compute', usd(compute.requested)],
      ['Unallocated compute', usd(compute.unallocated)],
      ['Largest namespace', text(largest && `${largest.namespace} (${usd(largest.requested).text})`)],
      ['Recommendations', count(report.recommendations.length)],
      ['Estimated savings', usd(estimated)],
      ['Plan savings', usd(plan?.savings)],
      ['Withheld', count(report.withheld.length)],
      ['Price list', text(report.price_list)],
    ],
    table: tableOf(plan?.steps ?? [], [
      ['step', ({ number }) => count(number)],
      ['title', ({ title }) => text(title)],
      ['savings per month', ({ savings }) => usd(savings)],
      ['nodes removed', ({ nodes }) => count(nodes.length)],
      ['risk', ({ risk }) => text(risk)],
    ]),
  }
}
