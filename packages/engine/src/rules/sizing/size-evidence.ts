import { count } from '../../count.ts'
import { cpuCandidates, cpuOutcomes, memoryCandidates, memoryOutcomes } from '../../rightsizing/candidates.ts'
import { CPU_UNITS_PER_MILLICORE, edgeOf, sampleCount, type Histogram } from '../../rightsizing/histogram.ts'
import { riskClass } from '../../rightsizing/risk.ts'
import type { ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { specOf } from '../container-finding.ts'
import {
  NO_EVIDENCE,
  type Backtest,
  type Candidate,
  type ContainerSpec,
  type DemandEvidence,
  type Evidence,
  type Percentiles,
  type SavingLine,
  type Shortage,
} from '../finding.ts'
import { deepCutReasons } from './deep-cut.ts'
import type { Floors } from './floors.ts'
import { resourceLines } from '../savings/saving-lines.ts'
import { demandOf, limitsOf } from './demand.ts'
import { freedAmount, isGuaranteed, podsPaid, usdOfLess } from './size-container.ts'
import { isClearlyLonger, shortRisk, worst } from './size-risk.ts'
import type { Level } from '../../vocabulary/recommendations.ts'

/** How long a request stays if users change it. */
export const STANDING_DAYS = 7

/** The usage evidence of a container; the hours are added when the evidence is stored. */
export function usageEvidence(usage: UsageFacts): Evidence {
  return {
    ...NO_EVIDENCE,
    window: usage.window,
    sampleCount: usage.sampleCount,
    coverage: round(usage.coverage, 4),
    cpuMillicores: percentilesOf(usage.cpu.histogram, CPU_UNITS_PER_MILLICORE),
  }
}

export type SizeExplanation = Pick<Evidence, 'confidenceReasons' | 'caveats' | 'facts'> & {
  /** No candidate is below the floors. */
  readonly floors: Floors
  /** Absent: the limits stay, or follow the requests of a Guaranteed pod. */
  readonly demand?: DemandEvidence
  /** If it covers more than this container. */
  readonly money?: { readonly prices: Evidence['prices']; readonly linesOf: () => SavingLine[] }
}

/**
 * The evidence of a request. Slow parts are computed on access, because few of tens of thousands of findings are new.
 */
export function sizeEvidence(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  {
    recommended,
    explanation: { money, floors, demand: given, ...explanation },
  }: { recommended: ContainerSpec; explanation: SizeExplanation },
): Evidence {
  const limits = isGuaranteed(workload) ? recommended : limitsOf(container)
  const demand = given ?? demandOf(container, usage, limits)
  const question = { workload, container, usage, recommended, floors, demand }
  return {
    ...usageEvidence(usage),
    ...explanation,
    standingDays: STANDING_DAYS,
    demand,
    prices: money?.prices ?? workload.price?.rows ?? [],
    get savingLines() {
      return money ? money.linesOf() : sizeLines(workload, container, usage, recommended)
    },
    get backtest() {
      // An outcome for several containers has no price for one of them.
      return backtestOf(question).map((each) => (money ? { ...each, estimatedUsdPerMonth: null } : each))
    },
    get candidates() {
      return candidatesOf(question)
    },
  }
}

/** The change of what its pods hold with these requests. Usage above a request is held too, so it is not added again. */
export function sizeLines(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
): SavingLine[] {
  if (workload.price === null) return []
  const pods = Number(podsPaid(workload, usage).toFixed(2))
  const amount = freedAmount(workload, container, usage, recommended)
  const freed = resourceLines(`requests of ${count(pods, 'pod')}, freed`, amount, workload.price)
  return freed.map((line) =>
    (line.quantity ?? 0) < 0 ? { ...line, what: line.what.replace(/freed$/, 'added beyond their usage') } : line,
  )
}

type Question = {
  readonly workload: WorkloadFacts
  readonly container: ContainerFacts
  readonly usage: UsageFacts
  readonly recommended: ContainerSpec
  readonly floors: Floors
  readonly demand: DemandEvidence
}

function backtestOf(question: Question): Backtest[] {
  const { workload, container, usage, recommended } = question
  const { decision } = container
  const cpu = decision?.cpu.kind === 'request' ? decision.cpu : null
  const memory = decision?.memory.kind === 'request' ? decision.memory : null
  const tried: [Backtest['who'], ContainerSpec][] = [
    ['current', specOf(container)],
    ['proposed', recommended],
    ['vpa', { cpuMillicores: millicores(cpu?.vpaUnits), memoryKib: memory?.vpaKib ?? null }],
    ['krr', { cpuMillicores: millicores(cpu?.krr95Units), memoryKib: memory?.krrKib ?? null }],
  ]
  const outcomes = outcomesOf(
    question,
    tried.map(([, spec]) => spec),
  )
  const [now = 0, proposed = 0, vpa = 0] = outcomes.map(({ short }) => shareOf(usage, short))
  const isRisky = isClearlyLonger(workload, { now, proposed, vpa }) || deepCutReasons(question).length > 0
  return outcomes.map(({ spec, short, usd }, index) => {
    const who = tried[index]?.[0] ?? 'current'
    const risk = worst([riskOf(question, short), isUnproven(question, spec) ? 'medium' : 'low'])
    return {
      who,
      spec: rounded(spec),
      ...short,
      risk: worst([risk, who === 'proposed' && isRisky ? 'medium' : 'low']),
      estimatedUsdPerMonth: keepsRequests(question, spec) ? usd : null,
    }
  })
}

/** A replay of usage below a limit proves nothing about demand above the limit. */
function isUnproven({ demand: { unknownAbove } }: Question, { cpuMillicores, memoryKib }: ContainerSpec): boolean {
  return (unknownAbove.cpu && cpuMillicores !== null) || (unknownAbove.memory && memoryKib !== null)
}

/** A missing request is not a proposal to remove it. */
const keepsRequests = ({ container }: Question, { cpuMillicores, memoryKib }: ContainerSpec) =>
  (cpuMillicores !== null || container.cpuRequestMillicores === null) &&
  (memoryKib !== null || container.memoryRequestKib === null)

/** CPU candidates with the proposed memory, then memory candidates with the proposed CPU. */
function candidatesOf(question: Question): Candidate[] {
  const { container, usage, recommended, floors } = question
  const current = specOf(container)
  const floorUnits = floors.cpuMillicores * CPU_UNITS_PER_MILLICORE
  const currentUnits = unitsOf(current)
  const cpu = cpuCandidates(usage.cpu, { currentUnits, floorUnits, replicaFactor: 1 })
  const memory = memoryCandidates(usage.memory, { currentKib: current.memoryKib ?? 0, floorKib: floors.memoryKib })
  const specs = [
    ...withOwn(
      cpu.map(({ units }) => units / CPU_UNITS_PER_MILLICORE),
      [current.cpuMillicores, recommended.cpuMillicores],
    ).map((cpuMillicores) => ({ ...recommended, cpuMillicores })),
    ...withOwn(
      memory.map(({ kib }) => kib),
      [current.memoryKib, recommended.memoryKib],
    ).map((memoryKib) => ({ ...recommended, memoryKib })),
  ]
  return outcomesOf(question, specs).map(({ spec, short, usd }) => ({
    spec: rounded(spec),
    ...short,
    estimatedUsdPerMonth: usd,
  }))
}

/** Includes the proposed and the current value, for the slider. */
function withOwn(values: readonly number[], own: readonly (number | null)[]): number[] {
  if (values.length === 0) return []
  const added = own.filter((value): value is number => value !== null && value > 0)
  return [...new Set([...values, ...added])].sort((a, b) => a - b)
}

type Outcome = { readonly spec: ContainerSpec; readonly short: Shortage; readonly usd: number }

/** With each of the requests over the whole window. */
function outcomesOf({ workload, container, usage }: Question, specs: readonly ContainerSpec[]): Outcome[] {
  const current = specOf(container)
  const units = [0, ...specs.map(unitsOf)]
  const [none, ...cpu] = cpuOutcomes(usage.cpu, units, { currentUnits: unitsOf(current), replicaFactor: 1 })
  const kib = specs.map(({ memoryKib }) => memoryKib ?? 0)
  const memory = memoryOutcomes(usage.memory, kib, current.memoryKib ?? 0)
  return specs.map((spec, index) => {
    const [ofCpu, ofMemory] = [cpu[index], memory[index]]
    const used = none?.unitMinutesShort ?? 0
    const less = { lessUnits: ofCpu?.savedUnits ?? 0, lessKib: ofMemory?.savedKib ?? 0 }
    return {
      spec,
      short: {
        minutesShort: round(ofCpu?.minutesShort ?? 0, 1),
        volumeShort: used > 0 ? round((ofCpu?.unitMinutesShort ?? 0) / used, 6) : 0,
        oomDays: ofMemory?.oomDays ?? 0,
      },
      usd: usdOfLess(workload, container, usage, { recommended: spec, less }),
    }
  })
}

const unitsOf = ({ cpuMillicores }: ContainerSpec) => (cpuMillicores ?? 0) * CPU_UNITS_PER_MILLICORE

function riskOf({ workload, usage }: Question, short: Shortage): Level {
  const { days } = usage.memory
  return worst([
    shortRisk(workload, shareOf(usage, short)),
    riskClass(days.length > 0 ? short.oomDays / days.length : 0),
  ])
}

const shareOf = ({ cpu }: UsageFacts, { minutesShort }: Shortage) => (cpu.minutes > 0 ? minutesShort / cpu.minutes : 0)

/** The upper edge of each bucket, so never too low. */
export function percentilesOf(histogram: Histogram, unitsPerShown: number): Percentiles | null {
  const total = sampleCount(histogram)
  if (total === 0) return null
  const at = (share: number) => {
    let seen = 0
    const index = histogram.counts.findIndex((count) => (seen += count) >= share * total - 1e-9)
    return round(edgeOf(histogram.buckets.at(index) ?? 0) / unitsPerShown, 1)
  }
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) }
}

const millicores = (units: number | undefined) => (units === undefined ? null : units / CPU_UNITS_PER_MILLICORE)

const rounded = ({ cpuMillicores, memoryKib }: ContainerSpec): ContainerSpec => ({
  cpuMillicores: cpuMillicores === null ? null : round(cpuMillicores, 1),
  memoryKib: memoryKib === null ? null : Math.round(memoryKib),
})

const round = (value: number, places: number) => Number(value.toFixed(places))
