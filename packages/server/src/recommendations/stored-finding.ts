import { createHash } from 'node:crypto'
import { SEVERITIES, targetKey, type RuleFinding } from '@plimsoll/engine'
import type { StoredFinding } from '../db/findings.ts'
import { base32 } from '../ids.ts'
import type { StoredContent } from './stored-content.ts'

/** With the claim of the volume that it is about: people know a volume by it. */
export type NamedFinding = RuleFinding & { readonly claim?: string }

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

/** Lists are sorted by it. */
export const rankOf = (severity: RuleFinding['severity']) => SEVERITIES.indexOf(severity) + 1

/** It stands in an index, and rows of those must not be long. */
const searchedLettersMax = 1000

export function contentOf(finding: NamedFinding): StoredContent {
  const { target, currentSpec, recommendedSpec, change, costUsdPerMonth, claim, bankableBecause } = finding
  const { removesPods, removesNodes, outlivesObject } = finding
  return {
    target,
    current: currentSpec,
    recommended: recommendedSpec,
    change: { ...change, fields: change.fields.map((field) => ({ ...field })) },
    ...(removesPods === undefined ? {} : { removesPods: typeof removesPods === 'number' ? removesPods : 'stuck' }),
    ...(outlivesObject === undefined ? {} : { outlivesObject }),
    ...(removesNodes === undefined ? {} : { removesNodes }),
    ...(costUsdPerMonth === null ? {} : { costUsdPerMonth: Number(costUsdPerMonth.toFixed(6)) }),
    ...(claim === undefined ? {} : { claim }),
    bankableBecause,
  }
}

function bundleOf(clusterId: string, namespace: string, { kind, name }: { kind: string; name: string }): string {
  const key = [clusterId, namespace, kind, name].join('/')
  return `bnd_${base32(createHash('sha256').update(key).digest().subarray(0, 16))}`
}
