import { makeClock, type Clock } from './clock.ts'
import { makeColumn, push, type Column } from './columns.ts'
import { fillCurve, makeCurve, shortAt, type Curve } from './curve.ts'
import type { Anchor, Dial } from './safety-margin.ts'
import { fillFrontier, makeFrontier, timeWeight, type Frontier } from './frontier.ts'
import { guardCpu, type CpuUsage, type SizingFacts, type GuardPolicy, type Unknown, type Withheld } from './guards.ts'
import { edgeOf } from './histogram.ts'
import { fillGrid } from './price-grid.ts'
import { judge, makeProposal, makeRehearsal, type Proposal, type Rehearsal } from './rehearsal.ts'
import { addToSurvey, makeSurvey, surveyedMean, type Survey } from './survey.ts'
import {
  fillAhead,
  fillForecast,
  makeTimeline,
  shadowKrr,
  shadowVpa,
  walk,
  type Timeline,
  type Visitor,
} from './timeline.ts'

/** One container of one workload, with the inputs of its share of the budget. */
export type FleetContainer = {
  readonly usage: CpuUsage
  readonly facts: SizingFacts
  /** Average number of pods with the request; may be a fraction. */
  readonly replicas: number
  /** Minimum in CPU units: 10 millicores unless a policy sets more. */
  readonly floorUnits: number
  /** The size of the open recommendation, in CPU units. */
  readonly standingUnits?: number
}

export type FleetPolicy = GuardPolicy & {
  readonly dial: Dial
  /** How long a request stays: 1 day if a controller renews it, 7 days if users do. */
  readonly standingDays: number
  /** Rehearse the last 14 days, for back-tests and smaller budgets. */
  readonly rehearses: boolean
  /** Keep a standing value that is close enough. */
  readonly keepsStanding: boolean
}

/**
 * Containers that share one budget: those of a cluster with the same dial. The input is read twice, because sizes
 * depend on the mean of all: `surveyContainer` for each, then `addContainer` for each in the same order, then
 * `settleFleet`. No usage is retained, so the caller may stream it.
 */
export type Fleet = {
  readonly policy: FleetPolicy
  readonly clock: Clock
  readonly survey: Survey
  readonly rehearsal: Rehearsal
  readonly verdicts: (Unknown | Withheld | undefined)[]
  readonly factors: Column
  readonly shares: ShareColumns
  readonly scratch: Scratch
}

/** The retained data of the participating containers: the corners of each frontier, and some figures. */
export type ShareColumns = {
  /** The container, by the order of adding. */
  readonly container: Column
  readonly replicas: Column
  readonly floor: Column
  readonly standing: Column
  readonly mean: Column
  /** The highest usage during start-up. */
  readonly startUp: Column
  readonly vpa: Column
  readonly krr95: Column
  readonly krr99: Column
  /** One entry longer: corners of the i-th container are from `firstCorner[i]` up to `firstCorner[i + 1]`. */
  readonly firstCorner: Column
  readonly cornerUnits: Column
  readonly cornerPrice: Column
  /** Share of the last 14 days above the corner. */
  readonly cornerShort: Column
}

type Scratch = {
  readonly timeline: Timeline
  readonly forecast: Curve
  readonly actual: Curve
  readonly window: Curve
  readonly frontier: Frontier
  readonly proposal: Proposal
}

export function openFleet(policy: FleetPolicy, now: number): Fleet {
  const clock = makeClock(now, policy.standingDays, policy.rehearses ? undefined : 0)
  return {
    policy,
    clock,
    survey: makeSurvey(clock),
    rehearsal: makeRehearsal(clock.boundaries.length),
    verdicts: [],
    factors: makeColumn(),
    shares: makeShares(),
    scratch: {
      timeline: makeTimeline(),
      forecast: makeCurve(),
      actual: makeCurve(),
      window: makeCurve(),
      frontier: makeFrontier(),
      proposal: makeProposal(),
    },
  }
}

export function surveyContainer(fleet: Fleet, { usage, facts, replicas }: FleetContainer): void {
  const { policy, clock, survey, verdicts, factors } = fleet
  const guard = guardCpu(usage, facts, policy, clock.now)
  const passes = guard.kind === 'pass' && replicas > 0
  push(factors, passes ? guard.replicaFactor : 0)
  verdicts.push(guard.kind === 'pass' ? undefined : guard)
  if (passes) addToSurvey(survey, usage.cpu, { clock, slowShare: policy.dial.slowShare, replicas })
}

/** `index` counts containers in the order of the survey. */
export function addContainer(fleet: Fleet, index: number, container: FleetContainer): void {
  const factor = fleet.factors.values[index] ?? 0
  if (!(factor > 0)) return
  const { clock, rehearsal, scratch } = fleet
  const { timeline, proposal, actual } = scratch
  proposal.isMade = false
  const visitor: Visitor = {
    judge: (k) => {
      fillAhead(timeline, actual)
      judge(rehearsal, k, proposal, actual, container.replicas)
    },
    decide: (k) => {
      fillFrontierAt(fleet, k)
      if (k < clock.boundaries.length) propose(fleet, container, factor)
      else keepShare(fleet, index, container, factor)
    },
  }
  walk(timeline, container.usage.cpu, clock, { visitor, slidesWindow: fleet.policy.dial.anchor !== 'vpa' })
}

function fillFrontierAt({ policy, clock, survey, scratch }: Fleet, k: number): void {
  const { timeline, forecast, frontier } = scratch
  fillForecast(timeline, clock, k, policy.dial.slowShare, forecast)
  fillFrontier(frontier, forecast, timeWeight(forecast.mean, surveyedMean(survey, k)))
}

function propose({ scratch, policy }: Fleet, { floorUnits }: FleetContainer, factor: number): void {
  const { proposal, timeline, frontier, forecast } = scratch
  proposal.isMade = forecast.weight > 0
  if (!proposal.isMade) return
  proposal.vpa = shadowVpa(timeline)
  proposal.anchor = anchorUnits(policy.dial.anchor, timeline, proposal.vpa)
  fillGrid(proposal.grid, frontier, factor, floorUnits)
}

/** The budget contribution of a container. */
function anchorUnits(anchor: Anchor, timeline: Timeline, vpa: number): number {
  if (anchor === 'vpa') return vpa
  return shadowKrr(timeline, anchor === 'krr95' ? 0.95 : 0.99)
}

function keepShare(fleet: Fleet, index: number, container: FleetContainer, factor: number): void {
  const { policy, scratch, shares, verdicts } = fleet
  const { timeline, forecast, window, frontier } = scratch
  fillCurve(window, timeline.window, timeline.lo, timeline.hi)
  const spikeShare = shareAbove95(window)
  if (spikeShare > policy.spikeShareMax) {
    verdicts[index] = { kind: 'withheld', reason: 'too_spiky', share: spikeShare, shareMax: policy.spikeShareMax }
    return
  }
  push(shares.container, index)
  push(shares.replicas, container.replicas)
  push(shares.floor, container.floorUnits)
  push(shares.standing, container.standingUnits ?? 0)
  push(shares.mean, forecast.mean)
  push(shares.startUp, container.usage.startUp.cpuMaxUnits)
  push(shares.vpa, shadowVpa(timeline))
  push(shares.krr95, shadowKrr(timeline, 0.95))
  push(shares.krr99, shadowKrr(timeline, 0.99))
  for (let corner = 0; corner < frontier.count; corner++) {
    const units = factor * edgeOf(frontier.buckets[corner] ?? 0)
    push(shares.cornerUnits, units)
    push(shares.cornerPrice, frontier.prices[corner] ?? 0)
    push(shares.cornerShort, shortAt(window, units).share)
  }
  push(shares.firstCorner, shares.cornerUnits.length)
}

/** The share of all usage above the 95th percentile. */
function shareAbove95({ lo, hi, mean, tail, excess }: Curve): number {
  for (let bucket = lo; bucket <= hi; bucket++) {
    if ((tail[bucket] ?? 0) <= 0.05) return mean > 0 ? (excess[bucket] ?? 0) / mean : 0
  }
  return 0
}

function makeShares(): ShareColumns {
  const firstCorner = makeColumn()
  push(firstCorner, 0)
  return {
    ...{ container: makeColumn(), replicas: makeColumn(), floor: makeColumn(), standing: makeColumn() },
    ...{ mean: makeColumn(), startUp: makeColumn(), vpa: makeColumn(), krr95: makeColumn(), krr99: makeColumn() },
    ...{ firstCorner, cornerUnits: makeColumn(), cornerPrice: makeColumn(), cornerShort: makeColumn() },
  }
}
