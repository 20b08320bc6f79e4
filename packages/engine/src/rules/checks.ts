import { BYTES_PER_KIB, describeBytes } from '../units.ts'
import type { Check } from './finding.ts'

export const passed = (check: string, found: string): Check => ({ check, found, passed: true })

/** A missing value is shown as unknown instead of being omitted. */
export const unchecked = (check: string, found: string): Check => ({ check, found, passed: null })

export const judged = (check: string, found: string, isPassed: boolean): Check => ({ check, found, passed: isPassed })

/** The check that a finding carries once other findings count a part of its savings. */
export const COUNTED_THERE = 'Savings of other recommendations for the same object are not counted again'

export const percent = (share: number) => `${Math.round(share * 100)} %`

export const showKib = (kib: number) => describeBytes(kib * BYTES_PER_KIB)
