import { percent } from '../checks.ts'
import { HEAP_FACTOR } from './annotations.ts'

/** Supported annotations of a workload, for the page about rules. */
export const ANNOTATIONS: readonly { readonly name: string; readonly value: string; readonly effect: string }[] = [
  { name: 'plimsoll.dev/ignore', value: '"true"', effect: 'no recommendations for the workload' },
  { name: 'plimsoll.dev/min-cpu', value: '250m', effect: 'minimum CPU request' },
  { name: 'plimsoll.dev/min-memory', value: '256Mi', effect: 'minimum memory request' },
  {
    name: 'plimsoll.dev/jvm',
    value: '"true"',
    effect: 'a JVM with unknown heap: the memory request is not changed',
  },
  {
    name: 'plimsoll.dev/jvm-heap',
    value: '2Gi',
    effect: `a JVM with this heap: the memory request stays ${percent(HEAP_FACTOR - 1)} above it`,
  },
  {
    name: 'plimsoll.dev/standby',
    value: '"true"',
    effect: 'idle on purpose: not reported as abandoned',
  },
  { name: 'plimsoll.dev/spot', value: '"false"', effect: 'never proposed for spot nodes' },
]
