import { settleFleet, type FleetDecision } from '../rightsizing/decide-fleet.ts'
import {
  addContainer,
  openFleet,
  surveyContainer,
  type FleetContainer,
  type FleetPolicy,
} from '../rightsizing/fleet.ts'

/** All steps at once, for containers that can be iterated twice. */
export function decideFleet(containers: Iterable<FleetContainer>, policy: FleetPolicy, now: number): FleetDecision {
  const fleet = openFleet(policy, now)
  for (const container of containers) surveyContainer(fleet, container)
  let index = 0
  for (const container of containers) addContainer(fleet, index++, container)
  return settleFleet(fleet)
}
