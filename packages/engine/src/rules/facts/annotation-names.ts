/** What people may write on a workload, for the page about rules. */
export const MARKS: readonly { readonly name: string; readonly value: string; readonly effect: string }[] = [
  { name: 'plimsoll.dev/ignore', value: '"true"', effect: 'no advice about it' },
  { name: 'plimsoll.dev/min-cpu', value: '250m', effect: 'no CPU request below' },
  { name: 'plimsoll.dev/min-memory', value: '256Mi', effect: 'no memory request below' },
  {
    name: 'plimsoll.dev/jvm',
    value: '"true"',
    effect: 'a Java machine whose heap is not known: memory stays as it is',
  },
  {
    name: 'plimsoll.dev/jvm-heap',
    value: '2Gi',
    effect: 'a Java machine with this heap: memory stays a quarter above it',
  },
  {
    name: 'plimsoll.dev/standby',
    value: '"true"',
    effect: 'meant to do nothing until it is needed: not asked about as abandoned',
  },
  { name: 'plimsoll.dev/spot', value: '"false"', effect: 'not to run on machines that may be taken away' },
]
