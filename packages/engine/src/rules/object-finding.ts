import { groupedCents } from '../count.ts'
import { NO_EVIDENCE, type Evidence, type Finding, type Target, type Withheld } from './finding.ts'
import type { Level } from '../vocabulary/recommendations.ts'

type About = Pick<
  Finding,
  | 'target'
  | 'title'
  | 'change'
  | 'estimatedUsdPerMonth'
  | 'bankableUsdPerMonth'
  | 'basis'
  | 'checks'
  | 'machines'
  | 'action'
  | 'removesNodes'
  | 'riskReasons'
> & {
  readonly costUsdPerMonth?: number | null
  readonly risk: Level
  readonly confidence: Level
  readonly policyNamespace?: string
  readonly because: string
  readonly caveats: readonly string[]
  readonly facts: Evidence['facts']
  readonly prices?: Evidence['prices']
  readonly savingLines?: Evidence['savingLines']
}

/** A finding about an object without containers: no pod, no spec, and its facts as evidence. */
export function aboutObject({
  because,
  caveats,
  facts,
  prices = [],
  savingLines = [],
  costUsdPerMonth = null,
  ...about
}: About): Finding {
  return {
    kind: 'finding',
    podName: '',
    workload: null,
    currentSpec: null,
    recommendedSpec: null,
    isUrgent: false,
    costUsdPerMonth,
    ...about,
    evidence: { ...NO_EVIDENCE, prices, savingLines, confidenceReasons: [because], caveats, facts },
  }
}

export const nodeTarget = (name: string): Target => ({ kind: 'Node', namespace: '', name, container: '' })

export const poolTarget = (name: string): Target => ({ kind: 'NodePool', namespace: '', name, container: '' })

export const volumeTarget = (name: string): Target => ({ kind: 'PersistentVolume', namespace: '', name, container: '' })

/** A sidecar has no namespace; its injection template has. */
export const sidecarTarget = (name: string): Target => ({ kind: 'Sidecar', namespace: '', name, container: name })

export const CONTROL_PLANE: Target = { kind: 'ControlPlane', namespace: '', name: 'control-plane', container: '' }

export const noPrice = (target: Target, what: string): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'no_price',
  detail: `No price is known for ${what}.`,
  unlock: 'Set a price override.',
})

/** For sentences: always with cents. */
export const showUsd = (usd: number) => `${usd < 0 ? '−' : ''}$${groupedCents(usd)}`

/** For storage: rounded to cents. */
export const dollars = (usd: number) => Number(usd.toFixed(2))
