/** As in the API: `unmeasured` is a part of `workload`. */
export type Classes = { workload: number; workload_idle: number; cluster_idle: number; unmeasured: number }

export type ClassKey = 'used' | 'unmeasured' | 'workload_idle' | 'cluster_idle'

/** Label and style of each class, in the order of the bars. */
const classWords: readonly { key: ClassKey; word: string; className: string; how: string }[] = [
  {
    key: 'used',
    word: 'Used',
    className: 'money-used',
    how: 'Price × measured usage, at most the allocation of the container',
  },
  {
    key: 'unmeasured',
    word: 'Not measured',
    className: 'money-unmeasured',
    how: 'Price × allocation without usage data. Not included in used or idle cost',
  },
  {
    key: 'workload_idle',
    word: 'Requested but unused',
    className: 'money-unused',
    how: 'Price × allocation above measured usage',
  },
  {
    key: 'cluster_idle',
    word: 'Unallocated',
    className: 'hatch',
    how: 'Price × node capacity that no pod requests',
  },
]

/** Only measured usage counts as used. Gaps in the metrics and GPU requests are not measured. */
export function amountOf({ workload, unmeasured, ...idle }: Classes, key: ClassKey): number {
  if (key === 'used') return workload - unmeasured
  return key === 'unmeasured' ? unmeasured : idle[key]
}

const notes: Partial<Record<ClassKey, string>> = {
  unmeasured: 'Time without CPU or memory metrics, and all GPUs: the agent does not report GPU usage.',
}

export const noteOf = (key: ClassKey): { note?: string } => (notes[key] === undefined ? {} : { note: notes[key] })

/** Without unmeasured cost, its class is omitted. */
export const wordsFor = (...all: readonly Classes[]) =>
  classWords.filter(({ key }) => key !== 'unmeasured' || all.some(({ unmeasured }) => unmeasured > 0))

export const wordOf = (key: ClassKey) => classWords.find((each) => each.key === key) ?? { word: '', how: '' }

export const totalOf = ({ workload, workload_idle: idle, cluster_idle: unallocated }: Classes) =>
  workload + idle + unallocated
