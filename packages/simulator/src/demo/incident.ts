import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { container } from '../scenarios/parts.ts'
import { gcpPlatform } from '../scenarios/gcp-platform.ts'

/** Within the last day, because an incident compares the last 24 hours with the 24 hours before. */
const startedHoursAgo = 20
const runsForDays = 10

/** A new Job on the GPU pool, which adds a node for each of its pods. */
const embedCatalog = (atSecond: number): WorkloadScenario => ({
  namespace: 'research',
  name: 'embed-catalog',
  kind: 'Job',
  replicas: 2,
  archetype: { kind: 'training' },
  pools: ['gpu-l4'],
  runs: { seconds: runsForDays * 24 * SECONDS_PER_HOUR, atSecond },
  containers: [container('embed', { cpu: 6000, mib: 24_576, gpus: 1 }, { cpu: 5200, mib: 20_000 })],
})

/** The platform cluster with a cost incident in the last day of its history. */
export function platformWithIncident(daysOld: number): Scenario {
  const atSecond = (daysOld * 24 - startedHoursAgo) * SECONDS_PER_HOUR
  return { ...gcpPlatform, workloads: [...gcpPlatform.workloads, embedCatalog(atSecond)] }
}
