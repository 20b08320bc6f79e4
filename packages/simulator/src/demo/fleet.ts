import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { Random } from '../random.ts'
import type { Happening, Scenario } from '../scenario/scenario.ts'
import type { Target } from '@plimsoll/agent'
import { openWorld, type World } from '../world/world.ts'
import type { DemoApi } from './api.ts'
import type { DemoCluster, DemoState } from './demo-state.ts'

/** For older worlds a new start is faster than catching up. */
const worldHoursMax = 80 * 24

/** Eight days before the decisions of eight days ago: right-sizing needs a week. Earlier days are sent last. */
const recentDays = 16

/** In hours since 1970. */
type Span = { openedHour: number; firstSentHour: number }

export type Member = { readonly scenario: Scenario; readonly world: World; cluster: DemoCluster }

/** The clusters of the demo: their server ids, their worlds, and the state for the next start. */
export class Fleet {
  #members: Member[] = []
  readonly #prepared = new Map<Scenario, { world: World; openedAt: number }>()
  readonly #state: DemoState
  readonly #save: (state: DemoState) => void
  readonly #daysOld: (scenario: Scenario) => number

  /** Backfill is limited to 35 days. */
  constructor(state: DemoState, save: (state: DemoState) => void, daysOld: (scenario: Scenario) => number) {
    this.#state = state
    this.#save = save
    this.#daysOld = daysOld
  }

  get members(): readonly Member[] {
    return this.#members
  }

  /** Forgets the open clusters, because all clusters of the demo are created again. */
  beginAnew(): void {
    this.#state.leftovers = [...this.#state.leftovers, ...this.#state.clusters.map(({ id }) => id)]
    this.#state.clusters = []
    this.#members = []
  }

  /** Finds or creates a cluster, at the start of its history. An open world stays open. */
  async open(api: Pick<DemoApi, 'createCluster'>, scenario: Scenario, now: number): Promise<Member> {
    const open = this.#members.find((member) => member.scenario === scenario)
    if (open) return open
    const cluster = this.#known(scenario, now) ?? (await create(api, scenario, this.#span(scenario, now)))
    const prepared = this.#prepared.get(scenario)
    const isUsable = prepared?.openedAt === cluster.openedAt && cluster.happenings.length === 0
    const member = { scenario, cluster, world: isUsable ? prepared.world : worldOf(scenario, cluster) }
    this.#prepared.delete(scenario)
    this.#members.push(member)
    this.remember(member, {})
    return member
  }

  /** Simulates the days of a new cluster that are sent last. This takes seconds, in which the service can start. */
  async prepare(scenario: Scenario, now: number, signal?: AbortSignal): Promise<void> {
    const { openedHour, firstSentHour } = this.#span(scenario, now)
    const openedAt = openedHour * SECONDS_PER_HOUR
    const world = openWorld(scenario, openedAt)
    for (let hour = openedHour + 1; hour <= firstSentHour; hour += 1) {
      while (world.second < hour * SECONDS_PER_HOUR) world.advance({ measured: false })
      // Signals and the output of the service are handled between two hours.
      await nextTurn()
      if (signal?.aborted) return
    }
    this.#prepared.set(scenario, { world, openedAt })
  }

  #span(scenario: Scenario, now: number): Span {
    const hour = Math.floor(now / SECONDS_PER_HOUR)
    const openedHour = hour - this.#daysOld(scenario) * 24
    return { openedHour, firstSentHour: Math.max(openedHour, hour - recentDays * 24) }
  }

  #known({ name }: Scenario, now: number): DemoCluster | undefined {
    const known = this.#state.clusters.find(({ scenario }) => scenario === name)
    if (!known || now - known.openedAt < worldHoursMax * SECONDS_PER_HOUR) return known
    throw new Error('The demo clusters are months old. Create them again: npm run demo -- --reset')
  }

  /** Schedules changes, also for each later start of the world. */
  plan(member: Member, happenings: readonly Happening[]): void {
    member.world.plan(happenings)
    this.remember(member, { happenings: [...member.cluster.happenings, ...happenings] })
  }

  remember(member: Member, changes: Partial<DemoCluster>): void {
    member.cluster = { ...member.cluster, ...changes }
    const others = this.#state.clusters.filter(({ scenario }) => scenario !== member.cluster.scenario)
    this.#state.clusters = [...others, member.cluster]
    this.#save(this.#state)
  }
}

async function create(
  api: Pick<DemoApi, 'createCluster'>,
  scenario: Scenario,
  { openedHour, firstSentHour }: Span,
): Promise<DemoCluster> {
  const { provider, region } = scenario
  const { id, agent_token: agentToken } = await api.createCluster({ name: nameOf(scenario), provider, region })
  return {
    scenario: scenario.name,
    id,
    agentToken,
    openedAt: openedHour * SECONDS_PER_HOUR,
    firstSentHour,
    firstUnsentHour: firstSentHour,
    runs: 0,
    happenings: [],
  }
}

/** The world of a cluster at its start. Each world of the same cluster has the same history. */
export function worldOf(scenario: Scenario, { openedAt, happenings }: DemoCluster): World {
  return openWorld({ ...scenario, happenings: [...(scenario.happenings ?? []), ...happenings] }, openedAt)
}

/** The name marks a demo cluster. */
export const nameOf = ({ name }: Scenario) => `${name} (demo)`

export function targetOf(url: string, { scenario, cluster }: Member): Target {
  const sleep = (seconds: number) => wait(seconds * 1000)
  return { url, token: cluster.agentToken, random: new Random(scenario.seed), sleep }
}
