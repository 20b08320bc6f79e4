import { count, grouped } from '../../count.ts'
import { cpuOutcomes } from '../../rightsizing/candidates.ts'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { riskClass } from '../../rightsizing/risk.ts'
import type { ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { specOf } from '../container-finding.ts'
import type { ContainerSpec } from '../finding.ts'
import { deepCutReasons } from './deep-cut.ts'
import { ALONE_REASON, isAloneMeanwhile, rolloutReasons, rolloutRisk } from './rollout.ts'
import { DATA_SHORT_SHARE_MAX, keepsData } from './size-container.ts'
import type { Level } from '../../vocabulary/recommendations.ts'

/** The risk of a change of requests. */
export type SizeRisk = {
  readonly level: Level
  /** The reasons from CPU and the rollout, with figures; empty: none. */
  readonly reasons: readonly string[]
  /** Why the level is not low, in a few words without figures: the text stands beside the level and stays the same for weeks. */
  readonly inShort: readonly string[]
}

/** About three minutes per day, which is noticeable. */
const NOTICED_SHARE = 0.002
/** A ratio to VPA that a few samples do not explain. */
const CLEARLY_LONGER = 1.5
const MINUTES_PER_DAY = 24 * 60

/** The new requests of a container, and its facts. */
export type Resize = {
  readonly workload: WorkloadFacts
  readonly container: ContainerFacts
  readonly usage: UsageFacts
  readonly recommended: ContainerSpec
}

/** From the back-test and the availability during the rollout; unchanged resources add nothing. */
export function sizeRisk(resize: Resize): SizeRisk {
  const { workload, container, recommended } = resize
  const { decision } = container
  const current = specOf(container)
  const changes = (name: keyof ContainerSpec) => current[name] !== recommended[name]
  const cpu = changes('cpuMillicores') ? cpuRisk(resize) : NO_RISK
  const starts = decision?.cpu.kind === 'request' && decision.cpu.startUpPeak
  const memory = changes('memoryKib') && decision?.memory.kind === 'request' ? decision.memory.risk : 'low'
  const deepCut = deepCutReasons(resize)
  const isSlowerToStart = changes('cpuMillicores') && starts
  const isRisky = isSlowerToStart || deepCut.length > 0
  const level = worst([cpu.level, isRisky ? 'medium' : 'low', memory, rolloutRisk(workload)])
  const isAlone = isAloneMeanwhile(workload)
  return {
    level,
    reasons: [
      ...cpu.reasons,
      ...deepCut.map((why) => `The risk is not low: ${why}.`),
      ...(isAlone ? [ALONE_REASON] : []),
    ],
    inShort: [
      ...cpu.inShort,
      ...(isSlowerToStart ? ['Start-up uses more than twice the proposed CPU'] : []),
      ...(memory === 'low' ? [] : ['Memory was above the proposed request on some days']),
      ...deepCut,
      ...rolloutReasons(workload),
    ],
  }
}

const NO_RISK: SizeRisk = { level: 'low', reasons: [], inShort: [] }

/** The risk of this share of time with too little CPU. All clients of a data store wait. */
export function shortRisk(workload: WorkloadFacts, share: number): Level {
  return worst([riskClass(share), keepsData(workload) && share > NOTICED_SHARE ? 'medium' : 'low'])
}

/** The shares of time with too little CPU. */
type Shares = { readonly now: number; readonly proposed: number; readonly vpa: number | null }

/** Whether the proposal is clearly shorter than VPA. */
export const isClearlyLonger = (workload: WorkloadFacts, { now, proposed, vpa }: Shares): boolean =>
  vpa !== null &&
  proposed > now &&
  proposed > (keepsData(workload) ? DATA_SHORT_SHARE_MAX : NOTICED_SHARE) &&
  proposed > CLEARLY_LONGER * vpa

/** A recommendation that makes one container much shorter than VPA must say so, whatever the cluster saves. */
function cpuRisk({ workload, container, usage, recommended }: Resize): SizeRisk {
  const { decision } = container
  const vpaUnits = decision?.cpu.kind === 'request' ? decision.cpu.vpaUnits : null
  const [now = 0, proposed = 0, vpa = null] = shortShares(usage, [
    unitsOf(specOf(container)),
    unitsOf(recommended),
    ...(vpaUnits === null ? [] : [vpaUnits]),
  ])
  const isLonger = isClearlyLonger(workload, { now, proposed, vpa })
  const level = worst([shortRisk(workload, proposed), isLonger ? 'medium' : 'low'])
  if (level === 'low') return NO_RISK
  const causes = [
    ...(riskClass(proposed) === 'low' ? [] : [`short of CPU for ${(100 * proposed).toFixed(1)} % of the time`]),
    ...(keepsData(workload) ? ['the workload is stateful, so clients wait as well'] : []),
    ...(isLonger ? ['the proposal is short of CPU for much longer than the VPA value'] : []),
  ]
  return {
    level,
    reasons: [`${shortWords(usage, { now, proposed, vpa })} The risk is ${level}: ${causes.join('; ')}.`],
    inShort: [
      ...(riskClass(proposed) === 'low' ? [] : ['Often short of CPU']),
      ...(keepsData(workload) ? ['Stateful: clients wait during a CPU shortage'] : []),
      ...(isLonger ? ['Short of CPU for much longer than with the VPA value'] : []),
    ],
  }
}

function shortShares({ cpu }: UsageFacts, units: readonly number[]): number[] {
  const outcomes = cpuOutcomes(cpu, units, { currentUnits: 0, replicaFactor: 1 })
  // Rounded as in the back-test, so that both show the same.
  return outcomes.map(({ minutesShort }) => (cpu.minutes > 0 ? Number(minutesShort.toFixed(1)) / cpu.minutes : 0))
}

const unitsOf = ({ cpuMillicores }: ContainerSpec) => (cpuMillicores ?? 0) * CPU_UNITS_PER_MILLICORE

function shortWords({ cpu }: UsageFacts, { now, proposed, vpa }: Shares): string {
  const minutes = (share: number) => Math.round(share * cpu.minutes)
  const days = count(Math.round(cpu.minutes / MINUTES_PER_DAY), 'day')
  const ofVpa = vpa === null ? '' : `, ${grouped(minutes(vpa))} min with the VPA value`
  return `Short of CPU in ${days}: ${grouped(minutes(proposed))} min with the proposal${ofVpa}, ${grouped(minutes(now))} min with the current request.`
}

export const worst = (levels: readonly Level[]): Level =>
  levels.includes('high') ? 'high' : levels.includes('medium') ? 'medium' : 'low'
