/** As the API answers: `unmeasured` is a part of `workload`. */
export type Classes = { workload: number; workload_idle: number; cluster_idle: number; unmeasured: number }

export type ClassKey = 'used' | 'unmeasured' | 'workload_idle' | 'cluster_idle'

/** What each is called and how it is drawn, in the order of the bars. */
const classWords: readonly { key: ClassKey; word: string; className: string; how: string }[] = [
  {
    key: 'used',
    word: 'Used',
    className: 'money-used',
    how: 'Price × the smaller of use and request, container by container',
  },
  {
    key: 'unmeasured',
    word: 'Not measured',
    className: 'money-unmeasured',
    how: 'Price × what was allocated while no usage data arrived. It counts neither as used nor as idle',
  },
  {
    key: 'workload_idle',
    word: 'Reserved, idle',
    className: 'money-reserved',
    how: 'Price × what was requested beyond the use',
  },
  {
    key: 'cluster_idle',
    word: 'Never asked for',
    className: 'hatch',
    how: 'Price × what the nodes have and nobody requested',
  },
]

/** Only measured usage is used. A gap in the metrics and the requests of GPUs are not measured. */
export function amountOf({ workload, unmeasured, ...idle }: Classes, key: ClassKey): number {
  if (key === 'used') return workload - unmeasured
  return key === 'unmeasured' ? unmeasured : idle[key]
}

const notes: Partial<Record<ClassKey, string>> = {
  unmeasured: 'Gaps in the metrics of CPU and memory, and all GPUs: agents do not report how busy a GPU is.',
}

export const noteOf = (key: ClassKey): { note?: string } => (notes[key] === undefined ? {} : { note: notes[key] })

/** Where everything was measured, nobody has to read about gaps. */
export const wordsFor = (...all: readonly Classes[]) =>
  classWords.filter(({ key }) => key !== 'unmeasured' || all.some(({ unmeasured }) => unmeasured > 0))

export const wordOf = (key: ClassKey) => classWords.find((each) => each.key === key) ?? { word: '', how: '' }

export const totalOf = ({ workload, workload_idle: idle, cluster_idle: unasked }: Classes) => workload + idle + unasked
