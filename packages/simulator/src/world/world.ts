import { type Living, type MinuteFacts, noFacts } from '@plimsoll/agent'
import { BadScenario } from '../scenario/checks.ts'
import { parseScenario } from '../scenario/parse-scenario.ts'
import type { Happening, Scenario } from '../scenario/scenario.ts'
import { planHappenings } from './happenings.ts'
import { measureMinute } from './measure.ts'
import { openState } from './open-state.ts'
import { planMinute } from './plan-minute.ts'
import { recordObjects } from './objects.ts'
import { recordAsKnown, recordChanges } from './record.ts'
import { settle } from './settle.ts'
import type { State } from './state.ts'

/** A simulated cluster. The scenario and the start time determine everything in it. */
export type World = {
  readonly scenario: Scenario
  /** The current time, always a full minute. All earlier events have happened. */
  readonly second: number
  /** The objects that exist at `second`. */
  living(): Living
  /** Adds future events, as if they were in `scenario.happenings` from the start. */
  plan(happenings: readonly Happening[]): void
  /** Advances one minute. `measured: false` skips the usage samples and does not change the world. */
  advance(options?: { measured: boolean }): MinuteFacts
}

export function openWorld(value: Scenario, startSecond: number): World {
  const scenario = parseScenario(value)
  if (!Number.isSafeInteger(startSecond) || startSecond % 60 !== 0 || startSecond < 0) {
    throw new BadScenario('startSecond', `${startSecond} is not a full minute`)
  }
  const state = openState(scenario, startSecond)
  settle(state)
  planHappenings(state, scenario.happenings ?? [])
  recordAsKnown(state)
  recordObjects(state, startSecond - 3600)
  return {
    scenario,
    get second() {
      return state.second
    },
    living: () => livingIn(state),
    plan: (happenings) => {
      parseScenario({ ...scenario, happenings })
      planHappenings(state, happenings)
    },
    advance: ({ measured } = { measured: true }) => advance(state, measured),
  }
}

function advance(state: State, measured: boolean): MinuteFacts {
  const end = state.second + 60
  const minute = state.second / 60
  state.facts = noFacts(minute)
  planMinute(state)
  for (let next = state.agenda.takeBefore(end); next; next = state.agenda.takeBefore(end)) {
    if (next.at > state.second) {
      recordChanges(state)
      state.second = next.at
    }
    next.act()
  }
  recordChanges(state)
  recordObjects(state, state.second)
  state.facts.usage = measureMinute(state, minute, measured)
  state.second = end
  return state.facts
}

function livingIn({ namespaces, nodes, pods, volumes, balancers, objects }: State): Living {
  return {
    namespaces: [...namespaces],
    nodes: versionsOf(nodes.values()),
    pods: versionsOf(pods.values()),
    volumes: versionsOf(volumes),
    balancers: versionsOf(balancers),
    objects: [...objects.values()],
  }
}

function versionsOf<Version>(things: Iterable<{ version?: Version }>): Version[] {
  return [...things].flatMap(({ version }) => (version === undefined ? [] : [version]))
}
