import { hourMs } from '../../format/time.ts'
import type { Allocation } from '@plimsoll/contract'
import type { Layer } from '../../charts/stacked-area.tsx'
import { ownerName } from '../../format/labels.ts'
import { colourOf } from './colours.ts'
import { shortOwner } from './owner.ts'

type Step = Allocation['steps'][number]

export type StepName = 'hour' | 'day'

/** Hours of the unit of the chart: $ per hour, or $ per day. */
const hoursOfUnit: Record<StepName, number> = { hour: 1, day: 24 }

/** The largest owners, all others as one layer, and cost without an owner on top. */
export function layersOf(
  steps: readonly Step[],
  { by, named, step: unit }: { by: string; named: readonly string[]; step: StepName },
): { layers: Layer[]; starts: string[] } {
  const short = named.map((name) => shortOwner(name, by))
  const owned = named.map((name, index): Layer => ({
    key: name,
    name: short.filter((each) => each === short[index]).length > 1 ? name : (short[index] ?? name),
    colour: colourOf(name, named).fill,
    values: steps.map((step) => valueOf(step, (each) => each === name, by)),
  }))
  const isNamed = (name: string) => named.includes(name)
  const others = steps.map((step) => valueOf(step, (each) => !isNamed(each), by) + step.rest.cost.total)
  const layers = [
    ...owned,
    { name: 'Others', colour: colourOf('', []).fill, values: others },
    {
      name: 'Control planes and unattached resources',
      colour: 'var(--rule-strong)',
      values: steps.map(
        ({ unmounted, unattached, overhead }) =>
          (unmounted?.total ?? 0) + (unattached?.total ?? 0) + (overhead?.total ?? 0),
      ),
    },
    {
      name: ownerName('__idle__'),
      colour: 'var(--unallocated)',
      isHatched: true,
      values: steps.map(({ idle }) => idle?.total ?? 0),
    },
  ]
  return {
    layers: layers
      .filter(({ values }) => values.some((value) => value !== null && value > 0))
      .map((layer) => atRate(layer, steps, unit)),
    starts: steps.map(({ from }) => from),
  }
}

/**
 * The first and the last day are incomplete, so each step is shown as a rate.
 * A step without data is null: its cost is unknown, not $0.
 */
const atRate = (layer: Layer, steps: readonly Step[], unit: StepName): Layer => ({
  ...layer,
  values: layer.values.map((value, index) => rateOf(value, steps[index], unit)),
})

type Span = { from: string; to: string; has_data?: boolean }

export function rateOf(value: number | null, step: Span | undefined, unit: StepName): number | null {
  if (value === null || step === undefined || step.has_data === false) return null
  const hours = (Date.parse(step.to) - Date.parse(step.from)) / hourMs
  return (value * hoursOfUnit[unit]) / hours
}

const valueOf = ({ rows }: Step, isAsked: (name: string) => boolean, by: string) =>
  rows.reduce((sum, { names, cost }) => (isAsked(names[by] ?? '') ? sum + cost.total : sum), 0)
