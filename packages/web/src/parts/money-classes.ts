/** As the service tells them: what is not measured is a part of `workload`. */
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
    word: 'GPU, not measured',
    className: 'money-unmeasured',
    how: 'Price × the GPUs that pods hold. How much they compute is not reported, so it is counted neither as used nor as idle',
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

/** Only what was seen to be used is used: a GPU is charged by request, and nobody measures what it does. */
export function amountOf({ workload, unmeasured, ...idle }: Classes, key: ClassKey): number {
  if (key === 'used') return workload - unmeasured
  return key === 'unmeasured' ? unmeasured : idle[key]
}

/** Of CPU and memory, where a sample is missing. */
export const unseenNote = 'Use of CPU and memory that nobody saw counts as used, never as idle.'

/** Where there are no GPUs, nobody has to read about them. */
export const wordsFor = (...all: readonly Classes[]) =>
  classWords.filter(({ key }) => key !== 'unmeasured' || all.some(({ unmeasured }) => unmeasured > 0))

export const wordOf = (key: ClassKey) => classWords.find((each) => each.key === key) ?? { word: '', how: '' }

export const totalOf = ({ workload, workload_idle: idle, cluster_idle: unasked }: Classes) => workload + idle + unasked
