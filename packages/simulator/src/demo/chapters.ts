import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { containerOverprovisioned } from '@plimsoll/engine/rules'
import type { Happening, Scenario } from '../scenario/scenario.ts'
import type { DemoApi, Found, Move } from './api.ts'
import { carryOut, planRemovals } from './carry-out.ts'
import { agreed, type Decision, type Plot } from './decisions.ts'
import type { DemoChapter } from './demo-state.ts'
import { targetOf, worldOf, type Fleet, type Member } from './fleet.ts'
import { joined, progressOf } from './progress.ts'
import { catchUp, showOnce } from './run-cluster.ts'
import type { Stretch, TimeLeft } from './time-left.ts'

export type Stage = {
  readonly url: string
  readonly api: DemoApi
  readonly fleet: Fleet
  readonly scenarios: readonly Scenario[]
  readonly plot: Plot
  /** The start of the present in seconds since 1970; history ends here. */
  readonly today: number
  readonly signal: AbortSignal
  /** The pause between two polls when few calls of the minute are left. */
  readonly pauseMs: number
  readonly say: (text: string) => void
  /** A clock of real seconds. */
  readonly clock: () => number
  /** Estimates the remaining time. */
  readonly timeLeft?: TimeLeft
}

/** A chapter, or the present. */
export type Moment = DemoChapter['kind'] | 'today'

const decidedHoursAgo = 8 * 24
const lookedHoursAgo = 4 * 24

/** Users decide eight days ago. Four days ago all changes are visible. Then one change is reverted. */
export function chaptersOf(today: number): DemoChapter[] {
  const hour = Math.floor(today / SECONDS_PER_HOUR)
  return [
    { kind: 'decide', hour: hour - decidedHoursAgo },
    { kind: 'look-again', hour: hour - lookedHoursAgo },
  ]
}

/**
 * Plays one chapter of the past. The service runs with the clock of that time, so its recommendations, decisions and
 * verifications have the right dates.
 */
export async function play(stage: Stage, { kind, hour }: { kind: Moment; hour: number }): Promise<void> {
  const second = hour * SECONDS_PER_HOUR
  await playAll(stage, { second, kind })
  if (stage.signal.aborted) return
  const whole = untilWholeInTurn(stage, stage.fleet.members)
  await Promise.all(stage.fleet.members.map((member, index) => show(stage, member, whole[index])))
  // The decisions need their recommendations. Later chapters may miss some without failing the demo.
  const seeing = kind === 'decide' ? stage : withPatience(stage)
  await Promise.all(stage.fleet.members.map((member) => untilSeen(seeing, member, kind)))
  if (stage.signal.aborted) return
  if (kind === 'decide') for (const member of stage.fleet.members) await decide(stage, member, second)
}

export const momentWords: Record<Moment, string> = {
  decide: 'history up to last week',
  'look-again': 'history after the applied changes',
  today: 'history up to now',
}

/** Seconds on two busy cores. The service computes while data arrives; `computing` is the remaining time. */
const stretchSeconds: Record<Moment, { sending: number; computing: number }> = {
  decide: { sending: 10, computing: 12 },
  'look-again': { sending: 5, computing: 11 },
  today: { sending: 5, computing: 11 },
}

const sendingKey = (kind: Moment) => `${kind}/telling`
const computing = (kind: Moment) => `${kind}/computing`

/** The stages of a start with these chapters, followed by the present. Without chapters there is no estimate. */
export function stretchesOf(chapters: readonly DemoChapter[]): Stretch[] {
  const moments: Moment[] = chapters.length === 0 ? [] : [...chapters.map(({ kind }) => kind), 'today']
  return moments.flatMap((kind) => [
    { name: sendingKey(kind), seconds: stretchSeconds[kind].sending },
    { name: computing(kind), seconds: stretchSeconds[kind].computing },
  ])
}

type Past = { second: number; kind: Moment }

/** All clusters in parallel: one is simulated while another one is sent. */
export async function playAll(stage: Stage, past: Past): Promise<void> {
  const { fleet, api, scenarios, today, say, clock, signal, timeLeft } = stage
  const members: Member[] = []
  for (const scenario of scenarios) {
    if (signal.aborted) return
    members.push(await fleet.open(api, scenario, today))
  }
  const saySo = progressOf(momentWords[past.kind], say, clock, () => timeLeft?.words() ?? '')
  const onShares = joined(members.map(weightUntil(past.second)), (share) => {
    timeLeft?.reached(sendingKey(past.kind), share)
    saySo(share)
  })
  await Promise.all(members.map((member, index) => sendUntil(stage, member, past, onShares[index])))
}

/** Many pods over many hours take long. */
const weightUntil =
  (second: number) =>
  ({ world, cluster }: Member) =>
    world.living().pods.length * Math.max(1, second / SECONDS_PER_HOUR - cluster.firstUnsentHour)

/** An interrupted send is repeated under a new run number; the server counts repeated data once. */
export async function sendUntil(
  { url, fleet, signal }: Pick<Stage, 'url' | 'fleet' | 'signal'>,
  member: Member,
  { second }: Pick<Past, 'second'>,
  onShare: (share: number) => void = () => undefined,
): Promise<void> {
  fleet.remember(member, { runs: member.cluster.runs + 1 })
  await catchUp(member.world, targetOf(url, member), member.cluster, { second, signal, onShare })
  if (signal.aborted) return
  fleet.remember(member, { firstUnsentHour: Math.floor(second / SECONDS_PER_HOUR) })
}

export const hasEarlierDays = ({ cluster: { openedAt, firstSentHour } }: Member) =>
  openedAt < firstSentHour * SECONDS_PER_HOUR

/** Sends the days that were left out for a quick start. Another world simulates them, because the first one is ahead. */
export async function sendEarlierDays(
  { url, fleet, signal }: Pick<Stage, 'url' | 'fleet' | 'signal'>,
  member: Member,
): Promise<void> {
  const { openedAt, firstSentHour, runs } = member.cluster
  const openedHour = openedAt / SECONDS_PER_HOUR
  fleet.remember(member, { runs: runs + 1 })
  const earlier = { ...member.cluster, firstUnsentHour: openedHour }
  const world = worldOf(member.scenario, earlier)
  const second = firstSentHour * SECONDS_PER_HOUR
  await catchUp(world, targetOf(url, member), earlier, { second, signal, onShare: () => undefined })
  if (!signal.aborted) fleet.remember(member, { firstSentHour: openedHour })
}

/** Waits until the whole history of the cluster is finalised. */
export const untilAllKnown = (stage: Stage, member: Member) =>
  until(stage, member, () => stage.api.isKnownSince(member.cluster.id, member.cluster.openedAt))

/** After all data is finalised, the agent sends its current state, which is then analysed. */
async function show(stage: Stage, member: Member, whole: Promise<void> | undefined): Promise<void> {
  await whole
  if (stage.signal.aborted) return
  await showOnce(member.world, targetOf(stage.url, member), member.cluster)
  stage.fleet.remember(member, { runs: member.cluster.runs + 1 })
}

/**
 * For each cluster, waits until all data of its last week is finalised. One cluster polls after the other, because they
 * share the calls of a minute. The first ones are small and done first.
 */
export function untilWholeInTurn(stage: Stage, members: readonly Member[]): Promise<void>[] {
  let previous = Promise.resolve()
  return members.map((member) => {
    previous = previous.then(() => until(stage, member, () => stage.api.isWholeWeekKnown(member.cluster.id)))
    return previous
  })
}

/** Waits until the service has found the expected recommendations. */
export const untilSeen = (stage: Stage, member: Member, kind: Moment) =>
  until(stage, member, () => isSeen(stage, member, kind))

const incidentPatienceMs = 20_000

/** The title of the cost incident. A sync of the smallest cluster lets the service evaluate its alert rules at once. */
export async function findIncident(stage: Stage, waitsMs = incidentPatienceMs): Promise<string | undefined> {
  const [smallest] = stage.fleet.members.toSorted((a, b) => a.world.living().pods.length - b.world.living().pods.length)
  if (!smallest) return undefined
  await stage.api.sync(smallest.cluster.id)
  let title: string | undefined
  const signal = AbortSignal.any([stage.signal, AbortSignal.timeout(waitsMs)])
  await until({ ...stage, signal }, smallest, async () => {
    title = await stage.api.incidentTitle()
    return title !== undefined
  })
  return title
}

/**
 * Whether the service has found the expected recommendations. The time of an analysis is not enough, because it may
 * have started before the newest snapshot arrived.
 */
async function isSeen({ api, plot }: Stage, { scenario, cluster }: Member, kind: Moment): Promise<boolean> {
  const found = await api.recommendations(cluster.id)
  if (kind === 'decide') return found.length > 0
  const rolledOut = plot.decisions.filter(
    (each) => each.scenario === scenario.name && each.moves.length > 0 && (each.share ?? 0) > 0,
  )
  return rolledOut.every((decision) => {
    const state = found.find((each) => isAbout(each, decision) && each.verification !== null)?.verification
    const isUndone = kind === 'today' && decision.takenBackAfterHours !== undefined
    return state === undefined || (isUndone ? state === 'reverted' : state !== 'awaiting')
  })
}

/** An interrupted start continues, so changes are not planned twice. */
async function decide({ api, fleet, plot }: Stage, member: Member, second: number): Promise<void> {
  if (member.cluster.happenings.length > 0) return
  const found = await api.recommendations(member.cluster.id)
  const atSecond = second - member.cluster.openedAt
  const isHere = ({ scenario }: { scenario: string }) => scenario === member.scenario.name
  const happenings: Happening[] = []
  const moves: Move[] = []
  const applied = new Set<string>()
  for (const decision of plot.decisions.filter(isHere)) {
    const advice = found.find((each) => isAbout(each, decision))
    if (!advice) continue
    moves.push(...decision.moves.map((move) => ({ ...move, id: advice.id })))
    const { current_spec: current, recommended_spec: recommended } = advice
    happenings.push(...carryOut(decision, { current, recommended }, atSecond))
    if (decision.share === 1 && decision.takenBackAfterHours === undefined) applied.add(advice.id)
  }
  const removals = plot.removals.filter(isHere)
  const steps = removals.length === 0 ? [] : await api.removingSteps(member.cluster.id)
  const { planned, ids } = planRemovals(removals, steps, applied)
  moves.push(...ids.flatMap((id) => agreed.map((move) => ({ ...move, id }))))
  await api.moveAll(moves)
  happenings.push(
    ...planned.map(({ afterHours, ...removal }): Happening => ({
      kind: 'remove-node',
      atSecond: atSecond + afterHours * SECONDS_PER_HOUR,
      ...removal,
    })),
  )
  fleet.plan(member, happenings)
}

const isAbout = ({ rule_id: rule, namespace, workload }: Found, decision: Decision) =>
  rule === containerOverprovisioned.id &&
  namespace === decision.namespace &&
  workload?.name === decision.workload &&
  workload.container === decision.container

const patienceMs = 120_000

/** Continues with partial results after a time limit. */
export const withPatience = (stage: Stage): Stage => ({
  ...stage,
  signal: AbortSignal.any([stage.signal, AbortSignal.timeout(patienceMs)]),
})

const questionsBeforeSync = 60
const secondsBeforeWord = 10
/** Polls until the condition holds. After a long wait it starts a sync. */
async function until(stage: Stage, { cluster, scenario }: Member, isSo: () => Promise<boolean>): Promise<void> {
  const began = stage.clock()
  let saidAt = began
  for (let asked = 1; !stage.signal.aborted && !(await isSo()); asked += 1) {
    if (asked % questionsBeforeSync === 0) await stage.api.sync(cluster.id)
    if (stage.clock() - saidAt >= secondsBeforeWord) {
      saidAt = stage.clock()
      stage.say(
        `${scenario.name}: analysis is running, ${Math.round(stage.clock() - began)} s so far${stage.timeLeft?.words() ?? ''}`,
      )
    }
    await stage.api.turn(stage.pauseMs)
  }
}
