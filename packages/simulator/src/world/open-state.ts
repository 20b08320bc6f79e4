import { noFacts } from '@plimsoll/agent'
import { mix, Random, seedOf } from '../random.ts'
import { keyOf } from '../scenario/parse-scenario.ts'
import type { PoolScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { Agenda } from './agenda.ts'
import { openBalancers, openVolumes } from './cloud-resources.ts'
import type { Pool, State, Template, Workload } from './state.ts'
import { uidOf } from './names.ts'
import { inOrder, makeTemplate } from './templates.ts'

/** A world with all its definitions, but without nodes and pods. */
export function openState(scenario: Scenario, startSecond: number): State {
  const state: State = {
    scenario,
    startSecond,
    random: new Random(mix(scenario.seed, startSecond)),
    agenda: new Agenda(),
    pools: scenario.pools.map((spec) => openPool(spec, scenario)),
    namespaces: [],
    workloads: [],
    nodes: new Map(),
    pods: new Map(),
    volumes: [],
    balancers: [],
    objects: new Map(),
    described: new Map(),
    pending: new Set(),
    changed: new Set(),
    leftNodes: [],
    second: startSecond,
    lastId: 0,
    facts: noFacts(startSecond / 60),
  }
  state.workloads.push(...scenario.workloads.map((spec) => openWorkload(state, spec)))
  openVolumes(state)
  openBalancers(state)
  openNamespaces(state)
  return state
}

/** Namespaces exist before the agent starts, and never change. */
function openNamespaces(state: State): void {
  for (const { name, labels = {} } of state.scenario.namespaces) {
    const id = (state.lastId += 1)
    const from = state.startSecond - 3600
    // The API server adds this label to every namespace.
    const all = { ...labels, 'kubernetes.io/metadata.name': name }
    state.namespaces.push({ ref: id, uid: uidOf(state.scenario.seed, id), from, name, labels: all })
  }
}

function openPool(spec: PoolScenario, { scheduling = 'first-fit' }: Scenario): Pool {
  return { spec, scheduling, nodes: [], cursors: new Map(), coming: 0 }
}

function openWorkload({ scenario, pools }: State, spec: WorkloadScenario): Workload {
  const containers = inOrder(spec)
  const workload: Omit<Workload, 'template'> & { template?: Template } = {
    spec,
    seed: mix(scenario.seed, seedOf(keyOf(spec))),
    pools: poolsFor(spec, pools),
    containers,
    pods: new Set(),
    volumes: [],
    balancers: [],
    main: containers.findIndex(({ kind }) => (kind ?? 'app') === 'app'),
    revision: 1,
    desired: spec.kind === 'Deployment' || spec.kind === 'StatefulSet' ? (spec.replicas ?? 1) : 0,
    wanted: [],
  }
  return Object.assign(workload, { template: makeTemplate(scenario, workload) })
}

/** DaemonSets run on all pools, other workloads not on dedicated pools. */
function poolsFor({ kind, pools: names }: WorkloadScenario, pools: readonly Pool[]): Pool[] {
  if (names) return pools.filter(({ spec }) => names.includes(spec.name))
  return pools.filter(({ spec }) => kind === 'DaemonSet' || !spec.dedicated)
}
