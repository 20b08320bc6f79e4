import type { RuleFinding } from '@plimsoll/engine/rules'
import { SEVERITIES } from '@plimsoll/engine/vocabulary'
import type { NamedFinding } from '../facts/claimer.ts'
import type { StoredContent } from './stored-content.ts'

/** Lists are sorted by it. */
export const rankOf = (severity: RuleFinding['severity']) => SEVERITIES.indexOf(severity) + 1

export function contentOf(finding: NamedFinding): StoredContent {
  const { target, currentSpec, recommendedSpec, change, costUsdPerMonth, claim, bankableBecause } = finding
  const { removesPods, removesNodes, outlivesObject, action, riskReasons = [] } = finding
  return {
    target,
    current: currentSpec,
    recommended: recommendedSpec,
    change: { ...change, fields: change.fields.map((field) => ({ ...field })) },
    ...(removesPods === undefined ? {} : { removesPods: typeof removesPods === 'number' ? removesPods : 'stuck' }),
    ...(outlivesObject === undefined ? {} : { outlivesObject }),
    ...(removesNodes === undefined ? {} : { removesNodes }),
    ...(action === undefined ? {} : { action }),
    ...(costUsdPerMonth === null ? {} : { costUsdPerMonth: Number(costUsdPerMonth.toFixed(6)) }),
    ...(claim === undefined ? {} : { claim }),
    ...(riskReasons.length === 0 ? {} : { riskReasons: [...riskReasons] }),
    bankableBecause,
  }
}
