export { type Parsed } from './parsed.ts'
export { apportion, type Weighted } from './apportion.ts'
export {
  DECIMAL_PLACES,
  ONE,
  decimal,
  divideRounded,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  roundToNumber,
  type Decimal,
  type DecimalReason,
} from './decimal.ts'
export { parseQuantityNano, type QuantityReason } from './quantity.ts'
export {
  HOURS_PER_MONTH,
  SECONDS_PER_HOUR,
  cutAtChanges,
  intersect,
  secondsOf,
  startOfLocalDay,
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
  formatBytes,
  formatMillicores,
  kibOfBytes,
  parseBytes,
  parseMicrocores,
  parseMillicores,
  type Amounts,
  type ParsedUnits,
  type Resource,
} from './units.ts'
