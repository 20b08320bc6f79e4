// A small made-up set for a machine without recorded costs: services with weekdays, growth, noise and some steps.
import type { Series, SeriesDirectory, WorkloadSeries } from './read-series.ts'
import { seededRandom } from '../../test/seeded-random.ts'

const DAYS = 240
const FIRST_DAY = 19_723
const TEAMS = 4
const WORKLOADS_PER_TEAM = 5

function makeWorkload(team: number, index: number): WorkloadSeries {
  const random = seededRandom(1 + team * 100 + index)
  let level = 10 + 80 * random()
  const values = Array.from({ length: DAYS }, (_, day) => {
    if (random() < 0.01) level *= 0.8 + 0.6 * random()
    const isWeekend = (FIRST_DAY + day + 4) % 7 === 0 || (FIRST_DAY + day + 4) % 7 === 6
    return level * (1 + day / 1000) * (isWeekend ? 0.8 : 1.08) * (0.95 + 0.1 * random())
  })
  return { fleet: 'synthetic', team: `team-${team}`, workload: `workload-${index}`, first: FIRST_DAY, values }
}

export function syntheticCosts(): SeriesDirectory {
  const workloads = Array.from({ length: TEAMS * WORKLOADS_PER_TEAM }, (_, index) =>
    makeWorkload(index % TEAMS, Math.floor(index / TEAMS)),
  )
  const sumOf = (part: string, some: readonly WorkloadSeries[]): Series => ({
    ...{ fleet: 'synthetic', part, first: FIRST_DAY },
    values: Array.from({ length: DAYS }, (_, day) => some.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)),
  })
  const teams = [...new Set(workloads.map(({ team }) => team))]
  const parts = teams.map((name) =>
    sumOf(
      name,
      workloads.filter(({ team }) => team === name),
    ),
  )
  return { series: [sumOf('total', workloads), ...parts], workloads }
}

const USAGE = (command: string) =>
  `Pass a directory of daily costs: npm run ${command} -- DIR. bench/costs/read-series.ts describes its files.\n` +
  'Without a directory, the figures below are of a made-up fleet. The figures of the design do not apply to it.\n'

export function orSynthetic(command: string, found: SeriesDirectory | undefined): SeriesDirectory {
  if (found) return found
  console.log(USAGE(command))
  return syntheticCosts()
}
