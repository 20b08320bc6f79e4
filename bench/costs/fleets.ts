import type { RuleName } from './month-ends.ts'

export const BATCH_FLEETS: readonly string[] = ['CEA-Curie', 'CTC-SP2', 'METACENTRUM-2009', 'NASA-iPSC']

/** The groups of fleets in the design, with the names of the recorded fleets. */
export const FLEET_GROUPS = [
  { title: 'Kubernetes bill', fleets: ['binder'], count: 1 },
  { title: 'GPU fleet', fleets: ['alibaba-gpu'], count: 1 },
  { title: 'batch sites', fleets: BATCH_FLEETS, count: 9 },
  { title: 'VMs (1 month)', fleets: ['bitbrains'], count: 1 },
] as const

export type FleetGroup = { readonly title: string; readonly fleets: readonly string[]; readonly count: number }

/** The groups with a fleet in the directory, and a group of all other fleets. Names the missing ones. */
export function groupsIn(fleets: ReadonlySet<string>): FleetGroup[] {
  const known: readonly FleetGroup[] = FLEET_GROUPS
  const found = known.map((group) => ({ ...group, fleets: group.fleets.filter((fleet) => fleets.has(fleet)) }))
  for (const { title, fleets: own, count } of found) {
    if (own.length === 0) console.log(`Not in the data: ${title}.`)
    else if (own.length < count) console.log(`In the data: ${own.length} of the ${count} ${title} of the design.`)
  }
  const named = new Set(known.flatMap((group) => group.fleets))
  const others = [...fleets].filter((fleet) => !named.has(fleet))
  const rest = others.length > 0 ? [{ title: 'other fleets', fleets: others, count: 0 }] : []
  return [...found.filter((group) => group.fleets.length > 0), ...rest]
}

/** Month-end errors of the design, in percent: the columns of `FLEET_GROUPS`, parts, median on the 10th. */
export const DESIGN_WAPE: Record<RuleName, readonly number[]> = {
  'this rule': [4.7, 4.4, 6.0, 25, 22, 15.2],
  'run rate': [5.6, 4.7, 6.4, 25, 22, 21.1],
  'last week again': [5.7, 4.7, 5.7, 21, 23, 19.1],
  Theta: [5.8, 7.0, 6.7, 19, 28, 23.6],
  'Holt-Winters damped': [6.1, 8.1, 7.1, 24, 28, 26.1],
}
