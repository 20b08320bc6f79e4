import type { Allocation } from '@plimsoll/contract'
import { ownerName } from '../../format/words.ts'
import type { Layer } from '../../charts/stacked-area.tsx'

type Step = Allocation['steps'][number]

const namedMax = 8
const hoursOfMonth = 730
const hourMs = 3_600_000

/** The largest by name, the others as one, and on top what belongs to nobody. */
export function layersOf(allocation: Allocation, by: string): { layers: Layer[]; starts: string[] } {
  const { steps } = allocation
  const totals = new Map<string, number>()
  for (const { rows } of steps) {
    for (const { names, cost } of rows) totals.set(names[by] ?? '', (totals.get(names[by] ?? '') ?? 0) + cost.total)
  }
  const named = [...totals].sort(([, a], [, b]) => b - a).slice(0, namedMax)
  const owned = named.map(([name], index): Layer => ({
    name: ownerName(name),
    colour: `var(--cat-${index + 1})`,
    values: steps.map((step) => valueOf(step, (each) => each === name, by)),
  }))
  const isNamed = (name: string) => named.some(([each]) => each === name)
  const others = steps.map((step) => valueOf(step, (each) => !isNamed(each), by) + step.rest.cost.total)
  const layers = [
    ...owned,
    { name: 'others', colour: 'var(--ink-3)', values: others },
    {
      name: 'shared, unused assets',
      colour: 'var(--rule-strong)',
      values: steps.map(
        ({ unmounted, unattached, overhead }) =>
          (unmounted?.total ?? 0) + (unattached?.total ?? 0) + (overhead?.total ?? 0),
      ),
    },
    {
      name: ownerName('__idle__'),
      colour: 'var(--unasked)',
      isHatched: true,
      values: steps.map(({ idle }) => idle?.total ?? 0),
    },
  ]
  return {
    layers: layers
      .filter(({ values }) => values.some((value) => value > 0))
      .map((layer) => atMonthlyRate(layer, steps)),
    starts: steps.map(({ from }) => from),
  }
}

/** The first and the last day are shorter than the others: as the rate of a month they can be compared. */
function atMonthlyRate(layer: Layer, steps: readonly Step[]): Layer {
  const hoursOf = ({ from, to }: Step) => (new Date(to).getTime() - new Date(from).getTime()) / hourMs
  return { ...layer, values: layer.values.map((value, index) => perMonth(value, steps[index], hoursOf)) }
}

const perMonth = (value: number, step: Step | undefined, hoursOf: (step: Step) => number) =>
  step === undefined ? 0 : (value * hoursOfMonth) / hoursOf(step)

const valueOf = ({ rows }: Step, isAsked: (name: string) => boolean, by: string) =>
  rows.reduce((sum, { names, cost }) => (isAsked(names[by] ?? '') ? sum + cost.total : sum), 0)
