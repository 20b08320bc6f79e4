export { unitsAtTop, windowOf } from './candidates.ts'
export { settleFleet } from './decide-fleet.ts'
export { DIALS, type Dial } from './safety-margin.ts'
export { addContainer, openFleet, surveyContainer, type Fleet, type FleetContainer, type FleetPolicy } from './fleet.ts'
export { GUARD_POLICY } from './guards.ts'
export { CPU_SCALE, CPU_UNITS_PER_MILLICORE, isUse } from './histogram.ts'
export { decideMemory, type MemoryContainer } from './memory.ts'
export { findOrdinalOutlier } from './replica-factor.ts'
export {
  HISTOGRAM_DAYS,
  NO_SLOTS,
  SLOT_SECONDS,
  slotOf,
  slotsBetween,
  type ContainerUsage,
  type DailyMemory,
  type HourlyCpu,
  type HourlyMeans,
  type SlotHistograms,
  type StartUp,
} from './usage-state.ts'
export { VPA_CPU, VPA_HALF_LIFE_SECONDS, VPA_MEMORY, vpaBucketCount, vpaBucketOf, vpaTarget } from './vpa.ts'
