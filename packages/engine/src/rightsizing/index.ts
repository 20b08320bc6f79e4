export { unitsAtTop, windowOf } from './candidates.ts'
export { decideFleet, settleFleet } from './decide-fleet.ts'
export { DIALS, type Dial } from './dial.ts'
export { addContainer, openFleet, surveyContainer, type Fleet, type FleetContainer, type FleetPolicy } from './fleet.ts'
export { GUARD_POLICY } from './guards.ts'
export { CPU_SCALE, CPU_UNITS_PER_MILLICORE, histogramOf, isUse } from './histogram.ts'
export { decideMemory, type MemoryContainer } from './memory.ts'
export { findOrdinalOutlier } from './replica-factor.ts'
export {
  HISTOGRAM_DAYS,
  NO_SLOTS,
  NO_START_UP,
  SLOT_SECONDS,
  packSlots,
  slotOf,
  slotsBetween,
  summariseUse,
  type ContainerUsage,
  type DailyMemory,
  type HourlyCpu,
  type HourlyMeans,
  type SlotHistograms,
  type StartUp,
} from './usage-state.ts'
export { VPA_CPU, VPA_HALF_LIFE_SECONDS, VPA_MEMORY, vpaBucketCount, vpaBucketOf, vpaTarget } from './vpa.ts'
