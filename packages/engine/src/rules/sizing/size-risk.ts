import { count, grouped } from '../../count.ts'
import { cpuOutcomes } from '../../rightsizing/candidates.ts'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { riskClass } from '../../rightsizing/risk.ts'
import type { ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { specOf } from '../container-finding.ts'
import type { ContainerSpec, Level } from '../finding.ts'
import { ALONE_REASON, isAloneMeanwhile, rolloutRisk } from './rollout.ts'
import { DATA_SHORT_SHARE_MAX, keepsData } from './size-container.ts'

/** How much a change of requests may hurt. */
export type SizeRisk = {
  readonly level: Level
  /** What CPU and the roll-out add to it, in words; empty: nothing. */
  readonly reasons: readonly string[]
}

/** About three minutes a day: who waits for that long notices. */
const NOTICED_SHARE = 0.002
/** So much longer than with VPA's value is no matter of a few samples. */
const CLEARLY_LONGER = 1.5
const MINUTES_PER_DAY = 24 * 60

/** What a container is to ask for, and what is known of it. */
export type Resize = {
  readonly workload: WorkloadFacts
  readonly container: ContainerFacts
  readonly usage: UsageFacts
  readonly recommended: ContainerSpec
}

/** By what the last weeks would have been like, and who is there while pods are replaced; what does not change adds nothing. */
export function sizeRisk(resize: Resize): SizeRisk {
  const { workload, container, recommended } = resize
  const { decision } = container
  const current = specOf(container)
  const changes = (name: keyof ContainerSpec) => current[name] !== recommended[name]
  const cpu = changes('cpuMillicores') ? cpuRisk(resize) : NO_RISK
  const starts = decision?.cpu.kind === 'request' && decision.cpu.startUpPeak
  const memory = changes('memoryKib') && decision?.memory.kind === 'request' ? decision.memory.risk : 'low'
  const level = worst([cpu.level, changes('cpuMillicores') && starts ? 'medium' : 'low', memory, rolloutRisk(workload)])
  return { level, reasons: [...cpu.reasons, ...(isAloneMeanwhile(workload) ? [ALONE_REASON] : [])] }
}

const NO_RISK: SizeRisk = { level: 'low', reasons: [] }

/** How bad it is to have too little CPU for such a part of the time. What keeps data makes all wait that ask for it. */
export function shortRisk(workload: WorkloadFacts, share: number): Level {
  return worst([riskClass(share), keepsData(workload) && share > NOTICED_SHARE ? 'medium' : 'low'])
}

/** Which part of the time CPU would have been too little. */
type Shares = { readonly now: number; readonly proposed: number; readonly vpa: number | null }

/** Whether the proposal takes away what VPA would leave. */
export const isClearlyLonger = (workload: WorkloadFacts, { now, proposed, vpa }: Shares): boolean =>
  vpa !== null &&
  proposed > now &&
  proposed > (keepsData(workload) ? DATA_SHORT_SHARE_MAX : NOTICED_SHARE) &&
  proposed > CLEARLY_LONGER * vpa

/** Advice that leaves one container short for much longer than what people use today has to say so, whatever the cluster gains. */
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
    ...(riskClass(proposed) === 'low' ? [] : [`that is ${(100 * proposed).toFixed(1)} % of the time`]),
    ...(keepsData(workload) ? ['the workload is stateful, so its clients wait too'] : []),
    ...(isLonger ? ['that is clearly longer than with the Vertical Pod Autoscaler'] : []),
  ]
  return { level, reasons: [`${shortWords(usage, { now, proposed, vpa })} The risk is not low: ${causes.join('; ')}.`] }
}

function shortShares({ cpu }: UsageFacts, units: readonly number[]): number[] {
  const outcomes = cpuOutcomes(cpu, units, { currentUnits: 0, replicaFactor: 1 })
  // Rounded as the back-test shows it, so that both say the same.
  return outcomes.map(({ minutesShort }) => (cpu.minutes > 0 ? Number(minutesShort.toFixed(1)) / cpu.minutes : 0))
}

const unitsOf = ({ cpuMillicores }: ContainerSpec) => (cpuMillicores ?? 0) * CPU_UNITS_PER_MILLICORE

function shortWords({ cpu }: UsageFacts, { now, proposed, vpa }: Shares): string {
  const minutes = (share: number) => Math.round(share * cpu.minutes)
  const days = count(Math.round(cpu.minutes / MINUTES_PER_DAY), 'day')
  const ofVpa = vpa === null ? '' : `, ${grouped(minutes(vpa))} with the VPA value`
  return `Short of CPU with the proposal: ${count(minutes(proposed), 'minute')} in ${days}${ofVpa}, ${grouped(minutes(now))} with the present request.`
}

export const worst = (levels: readonly Level[]): Level =>
  levels.includes('high') ? 'high' : levels.includes('medium') ? 'medium' : 'low'
