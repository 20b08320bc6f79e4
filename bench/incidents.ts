// How many alerts the incidents of the engine open, and which made-up causes they find: npm run bench:incidents -- DIR
// DIR holds daily costs of workloads; bench/costs/read-series.ts describes the files. Each day is judged from the days
// before it. `--cases N` is the number of made-up causes of each kind and fleet.
import { parseArgs } from 'node:util'
import { BATCH_FLEETS, groupsIn } from './costs/fleets.ts'
import { judgeFleet, METHODS, type FleetResult, type MethodName } from './costs/judge-fleet.ts'
import { FIRST_JUDGED, makeFleet } from './costs/fleet.ts'
import { mean, median, sum } from './costs/money.ts'
import { readDirectory } from './costs/read-series.ts'
import { orSynthetic } from './costs/synthetic.ts'
import { printRow, withDesign } from './costs/table.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '20' } },
})
const [directory] = positionals
const { workloads } = orSynthetic('bench:incidents', directory ? readDirectory(directory) : undefined)
if (workloads.length === 0)
  throw new Error(`'${directory}' has no file with the header fleet,team,workload,first_weekday,values.`)

const names = [...new Set(workloads.map(({ fleet }) => fleet))]
if (directory) groupsIn(new Set(names))

const DAYS_MIN = 28
const isBatch = (name: string) => BATCH_FLEETS.includes(name)
const results = names.flatMap((name) => {
  const fleet = makeFleet(
    name,
    workloads.filter((each) => each.fleet === name),
  )
  const days = fleet.length - FIRST_JUDGED
  if (days >= DAYS_MIN) return [judgeFleet(fleet, Number(options.cases))]
  console.log(`${name} is skipped: of ${fleet.length} days since its first use, ${Math.max(0, days)} can be evaluated.`)
  return []
})

console.log('\nAlerts per 30 days of the fleets as they are, and the last threshold as a share of the daily cost')
printRow(['', 'parts', 'judged days', ...METHODS, 'threshold %'])
for (const { name, parts, days, methods, thresholdShare } of results) {
  const alerts = METHODS.map((method) => (methods.get(method)?.alertsPer30Days ?? NaN).toFixed(1))
  printRow([name, String(parts), String(days), ...alerts, (100 * thresholdShare).toFixed(0)])
}

/** Alerts per 30 days, money found, cases found, alerts per cause: service fleets, then batch fleets. */
const DESIGN: Record<MethodName, readonly (readonly [number, number])[] | undefined> = {
  'budget 2': [
    [5.0, 2.3],
    [90, 57],
    [70, 24],
    [1, 1],
  ],
  'budget 4': undefined,
  '2σ per part': [
    [22, 45],
    [89, 74],
    [82, 62],
    [2.4, 2.1],
  ],
  '+40 %, $100': [
    [8.5, 33],
    [87, 77],
    [55, 57],
    [2.2, 2.1],
  ],
}

function printGroup(title: string, some: readonly FleetResult[], column: 0 | 1): void {
  if (some.length === 0) {
    console.log(`\nNot in the data: ${title}.`)
    return
  }
  console.log(`\n${title}: ${some.map(({ name }) => name).join(', ')}${directory ? '; in parentheses: design' : ''}`)
  printRow(['', 'alerts / 30 d', 'money found %', 'cases found %', 'alerts / cause', 'messages / cause'])
  for (const method of METHODS) {
    const own = some.flatMap(({ methods }) => methods.get(method) ?? [])
    const total = (figure: (each: (typeof own)[number]) => number) => sum(own.map(figure))
    const figures = [
      mean(own.map(({ alertsPer30Days }) => alertsPer30Days)),
      (100 * total(({ usdFound }) => usdFound)) / total(({ usd }) => usd),
      (100 * total(({ found }) => found)) / total(({ cases }) => cases),
      total(({ alertsOfFound }) => alertsOfFound) / total(({ found }) => found),
      total(({ messagesOfFound }) => messagesOfFound) / total(({ found }) => found),
    ]
    const design = directory ? DESIGN[method] : undefined
    printRow([method, ...figures.map((figure, at) => withDesign(figure, design?.[at]?.[column]))])
  }
}

printGroup(
  'Service fleets',
  results.filter(({ name }) => !isBatch(name)),
  0,
)
printGroup(
  'Batch fleets',
  results.filter(({ name }) => isBatch(name)),
  1,
)
const ofBudget2 = results.flatMap(({ methods }) => methods.get('budget 2')?.alertsPer30Days ?? [])
const range = [Math.min(...ofBudget2), Math.max(...ofBudget2), median(ofBudget2)].map((each) => each.toFixed(1))
console.log(
  `\nA budget of 2 became ${range[0]}–${range[1]}, median ${range[2]} (design: 1.2–4.7, median 2.2, VMs 10.6).`,
)
