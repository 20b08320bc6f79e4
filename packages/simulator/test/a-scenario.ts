import {
  openWorld,
  SimulatedAgent,
  type EncodedBatch,
  type MinuteFacts,
  type PoolScenario,
  type Scenario,
  type WorkloadScenario,
  type World,
} from '../src/index.ts'
import { Truth } from './truth.ts'

/** A Wednesday, 14:00 UTC: a full hour, so the next snapshot is an hour away. */
export const START = 1_760_536_800
export const START_MINUTE = START / 60

/** Two nodes of four cores and 8 GiB, of which half a core and 1 GiB are not allocatable. */
export function aPool(overrides: Partial<PoolScenario> = {}): PoolScenario {
  return {
    name: 'general',
    instanceType: 'm6i.xlarge',
    count: 2,
    zones: ['eu-west-1a', 'eu-west-1b'],
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 4000, memoryMib: 8192 },
    allocatable: { cpuMillicores: 3500, memoryMib: 7168 },
    podsMax: 20,
    ...overrides,
  }
}

/** One replica that requests half a core and 512 MiB, and uses a fifth of a core and 256 MiB. */
export function aWorkload(overrides: Partial<WorkloadScenario> = {}): WorkloadScenario {
  return {
    namespace: 'shop',
    name: 'web',
    kind: 'Deployment',
    archetype: { kind: 'steady' },
    containers: [
      {
        name: 'app',
        request: { cpuMillicores: 500, memoryMib: 512 },
        uses: { cpuMillicores: 200, memoryMib: 256 },
      },
    ],
    ...overrides,
  }
}

export function aScenario(overrides: Partial<Scenario> = {}): Scenario {
  return {
    seed: 7,
    name: 'test',
    clusterUid: 'uid-of-kube-system',
    provider: 'aws',
    region: 'eu-west-1',
    kubernetesVersion: 'v1.33.0',
    pools: [aPool()],
    namespaces: [{ name: 'shop' }],
    workloads: [aWorkload()],
    ...overrides,
  }
}

/** Advances some minutes and collects all facts. */
export function watch(world: World, minutes: number): { facts: MinuteFacts[]; truth: Truth } {
  const truth = new Truth(world.living())
  const facts = Array.from({ length: minutes }, () => world.advance())
  for (const each of facts) truth.add(each)
  return { facts, truth }
}

export function batchesOf(scenario: Scenario, minutes: number, options = {}): EncodedBatch[] {
  const agent = new SimulatedAgent(openWorld(scenario, START), options)
  return Array.from({ length: minutes }, () => agent.minute()).flat()
}
