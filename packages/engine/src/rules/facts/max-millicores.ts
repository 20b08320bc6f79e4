import { CPU_UNITS_PER_MILLICORE, edgeOf } from '../../rightsizing/histogram.ts'
import type { UsageFacts } from './cluster-facts.ts'

/** The highest usage of a minute of the window. */
export const maxMillicores = ({ cpu }: UsageFacts): number =>
  edgeOf(cpu.histogram.buckets.at(-1) ?? 0) / CPU_UNITS_PER_MILLICORE
