export { apportion } from './apportion.ts'
export { count } from './count.ts'
export { countRuns, parseCronSchedule, runsPerMonth, type CronSchedule } from './cron-schedule.ts'
export { dayText } from './day-text.ts'
export { DECIMAL_PLACES, decimal, formatDecimal, roundDecimal, roundToNumber, type Decimal } from './decimal.ts'
export { groupBy } from './group-by.ts'
export { kibibytes, millicores, parseQuantity, parseQuantityNano, wholes } from './quantity.ts'
export {
  dayMs,
  hourMs,
  HOURS_PER_MONTH,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  intersect,
  secondsOf,
  type TimeSpan,
} from './time.ts'
export {
  BYTES_PER_KIB,
  KIB_PER_GIB,
  MICROCORES_PER_CORE,
  MICROCORES_PER_MILLICORE,
  NO_AMOUNTS,
  PARTS_PER_WHOLE,
  RESOURCES,
  describeBytes,
  describeMillicores,
  formatBytes,
  formatMillicores,
  type Amounts,
  type Resource,
} from './units.ts'
