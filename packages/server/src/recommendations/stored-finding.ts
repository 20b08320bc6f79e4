import { createHash } from 'node:crypto'
import { targetKey } from '@plimsoll/engine/rules'
import { contentOf, type NamedFinding, rankOf, type StoredFinding } from '@plimsoll/pipeline/advice'
import { base32 } from '../platform/ids.ts'

/** A finding as a row. */
export function storedOf(clusterId: string, id: string, finding: NamedFinding): StoredFinding {
  const { target, workload } = finding
  const { namespace } = target
  const words = [
    finding.title,
    namespace,
    target.name,
    workload?.name ?? '',
    workload?.container ?? '',
    finding.podName,
  ]
  return {
    id,
    ruleId: finding.ruleId,
    category: finding.category,
    targetKey: targetKey(target),
    bundleId: workload ? bundleOf(clusterId, namespace, workload) : null,
    severity: finding.severity,
    severityRank: rankOf(finding.severity),
    risk: finding.risk,
    confidence: finding.confidence,
    title: finding.title,
    namespace,
    podName: finding.podName,
    workloadKind: workload?.kind ?? null,
    workloadName: workload?.name ?? null,
    container: workload?.container ?? null,
    searchText: words.join('\n').toLowerCase().slice(0, searchedLettersMax),
    estimated: finding.estimatedUsdPerMonth.toFixed(6),
    bankable: finding.bankableUsdPerMonth?.toFixed(6) ?? null,
    content: contentOf(finding),
    basis: finding.basis,
  }
}

/** The text is in an index, whose rows have a length limit. */
const searchedLettersMax = 1000

function bundleOf(clusterId: string, namespace: string, { kind, name }: { kind: string; name: string }): string {
  const key = [clusterId, namespace, kind, name].join('/')
  return `bnd_${base32(createHash('sha256').update(key).digest().subarray(0, 16))}`
}
