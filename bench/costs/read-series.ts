// Daily costs in a directory of .csv or .csv.gz files. The header of a file gives its format:
//   fleet,part,day,value                        one line per day; `day` is YYYY-MM-DD, `part` is `total` or a name
//   fleet,team,workload,first_weekday,values    one line per workload; 0 is Monday, `values` are separated by spaces
// The first form serves bench:forecast, the second bench:incidents. Costs may have any unit.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** `first` is the number of the first day since 1970. */
export type Series = {
  readonly fleet: string
  readonly part: string
  readonly first: number
  readonly values: readonly number[]
}

export type WorkloadSeries = Omit<Series, 'part'> & { readonly team: string; readonly workload: string }

export type SeriesDirectory = { readonly series: readonly Series[]; readonly workloads: readonly WorkloadSeries[] }

const DAY_MS = 86_400_000

/** 5 January 1970, a Monday, and enough weeks to keep all days positive. */
const SOME_MONDAY = 4 + 7 * 2000

export function readDirectory(directory: string): SeriesDirectory {
  if (!existsSync(directory)) throw new Error(`There is no directory '${directory}'.`)
  const found = { series: [] as Series[], workloads: [] as WorkloadSeries[] }
  const names = readdirSync(directory).filter((name) => /\.csv(?:\.gz)?$/.test(name))
  for (const name of names.sort()) {
    const bytes = readFileSync(join(directory, name))
    const [header = '', ...lines] = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
      .toString('utf8')
      .trim()
      .split('\n')
    if (header.startsWith('fleet,part,day,value')) found.series.push(...readDays(name, lines))
    else if (header.startsWith('fleet,team,workload,first_weekday,')) found.workloads.push(...lines.map(readWorkload))
    else console.log(`${name} is skipped: its header has an unknown format.`)
  }
  return found
}

function readDays(name: string, lines: readonly string[]): Series[] {
  const found = new Map<string, { fleet: string; part: string; first: number; values: number[] }>()
  for (const line of lines) {
    const [fleet = '', part = '', date = '', value = ''] = line.trim().split(',')
    const day = Date.parse(date) / DAY_MS
    const key = `${fleet},${part}`
    const one = found.get(key) ?? { fleet, part, first: day, values: [] }
    found.set(key, one)
    if (day !== one.first + one.values.length) throw new Error(`${name}: ${key} has no cost before ${date}.`)
    one.values.push(Number(value))
  }
  return [...found.values()]
}

function readWorkload(line: string): WorkloadSeries {
  const [fleet = '', team = '', workload = '', weekday = '0', values = ''] = line.trim().split(',')
  return { fleet, team, workload, first: SOME_MONDAY + Number(weekday), values: values.split(' ').map(Number) }
}
