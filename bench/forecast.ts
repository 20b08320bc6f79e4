// How well the forecast rule of the engine predicts month ends: npm run bench:forecast -- DIR
// DIR holds daily costs; bench/costs/read-series.ts describes the files. Each figure is followed by that of the design.
import { DESIGN_WAPE, FLEET_GROUPS, groupsIn } from './costs/fleets.ts'
import {
  judgeHorizon,
  judgeMonthEnds,
  meanWape,
  medianWape10,
  pooledWape,
  RULES,
  sumCovered,
  type Covered,
} from './costs/month-ends.ts'
import { readDirectory, type Series } from './costs/read-series.ts'
import { orSynthetic } from './costs/synthetic.ts'
import { daysAhead, emptyTallies, foundShare, judgeWarnings, rightShare, WARNINGS } from './costs/warnings.ts'
import { printRow, withDesign } from './costs/table.ts'

const directory = process.argv[2]
const { series } = orSynthetic('bench:forecast', directory ? readDirectory(directory) : undefined)
if (series.length === 0) throw new Error(`'${directory}' has no file with the header fleet,part,day,value.`)

const isTotal = ({ part }: Series) => part === 'total'
const judged = series.map(judgeMonthEnds)
const groups = groupsIn(new Set(series.map(({ fleet }) => fleet)))
const [totals, parts] = [judged.filter((each) => isTotal(each.series)), judged.filter((each) => !isTotal(each.series))]

console.log(`\nMonth-end error (WAPE %) on the 10th and 20th, ${series.length} series; in parentheses: design`)
printRow(['', ...groups.map(({ title }) => title), `${parts.length} parts`, 'median, 10th'])
for (const rule of RULES) {
  const ofGroups = groups.map(({ title, fleets }) => {
    const at = FLEET_GROUPS.findIndex((group) => group.title === title)
    const some = totals.filter((each) => fleets.includes(each.series.fleet))
    return withDesign(pooledWape(some, rule), directory ? DESIGN_WAPE[rule][at] : undefined)
  })
  const [ofParts, ofMedian] = directory ? DESIGN_WAPE[rule].slice(-2) : []
  printRow([
    rule,
    ...ofGroups,
    withDesign(meanWape(parts, rule), ofParts),
    withDesign(medianWape10(judged, rule), ofMedian),
  ])
}

const share = (count: number, { n }: Covered) => (100 * count) / n
console.log('\nShare of outcomes in the band, %')
printRow(['', '80 % band', '95 % band', 'forecasts'])
const printCovered = (title: string, covered: Covered, design?: number) =>
  printRow([
    title,
    withDesign(share(covered.in80, covered), design),
    withDesign(share(covered.in95, covered), undefined),
    String(covered.n),
  ])
printCovered('totals, month end', sumCovered(totals), 81)
printCovered('parts, month end', sumCovered(parts), 79)
for (const horizon of [7, 30, 60, 90]) {
  const some = series.filter(isTotal).map((each) => ({ covered: judgeHorizon(each, horizon) }))
  printCovered(`totals, ${horizon} days (design: 82–92)`, sumCovered(some))
}

const DESIGN_WARNINGS = {
  sure: [92, 91, 96, 97, 10, 12],
  likely: [76, 78, 98, 99, 22, 19],
  'run rate above the amount': [60, 70, 98, 100, 24, 21],
} as const
const [ofTotals, ofParts] = [emptyTallies(), emptyTallies()]
for (const each of series) judgeWarnings(each, isTotal(each) ? ofTotals : ofParts)
console.log('\nWarned that the month goes over the mean of the last three months + 10 %; totals, then parts')
printRow(['', 'right %', 'right %', 'found %', 'found %', 'days ahead', 'days ahead', 'months over'])
for (const name of WARNINGS) {
  const both = [ofTotals.get(name), ofParts.get(name)].flatMap((tally) => tally ?? [])
  const figures = [rightShare, foundShare, daysAhead].flatMap((figure) => both.map(figure))
  printRow([
    name,
    ...figures.map((figure, at) => withDesign(figure, directory ? DESIGN_WARNINGS[name][at] : undefined)),
    both.map(({ over }) => String(over)).join(' · '),
  ])
}
