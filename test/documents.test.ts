import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { jobTable, lanes } from '../packages/server/src/platform/jobs/job-lanes.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const notOurs = ['node_modules', 'dist', '.git']

function listPaths(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !notOurs.includes(name))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    return [relative(root, path), ...(entry.isDirectory() ? listPaths(path) : [])]
  })
}

const folders = ['bench', 'docs', 'packages', 'scripts', 'test']

test('every file and folder that CONTRIBUTING.md names in a recipe exists', () => {
  const text = read('CONTRIBUTING.md')
  const recipes = text.slice(text.indexOf('\n## How to '))
  const quoted = [...recipes.matchAll(/`([^`\n]+)`/g)].map(([, words]) => words ?? '')
  // A path of the API starts with a slash; a pattern contains <.
  const named = quoted.filter((words) => /^\w[\w./-]*(?:\/[\w.-]*|\.(?:[cm]?[jt]sx?|json|md|sql))$/.test(words))
  expect(named.length).toBeGreaterThan(90)
  const paths = folders.flatMap((folder) => listPaths(join(root, folder)))
  const isFound = (name: string) => existsSync(join(root, name)) || paths.some((path) => path.endsWith(`/${name}`))
  expect(named.map((name) => name.replace(/\/$/, '')).filter((name) => !isFound(name))).toEqual([])
})

test('the table of lanes in ARCHITECTURE.md has every lane, its jobs and its number of workers', () => {
  const rows = [...read('ARCHITECTURE.md').matchAll(/^\| `([a-z]+)` +\|([^|\n]+)\| (\d+) +\|$/gm)].map(
    ([, lane, jobs = '', workers]) => ({
      lane,
      jobs: [...jobs.matchAll(/`([a-z-]+)`/g)].map(([, job]) => job).sort(),
      workers: Number(workers),
    }),
  )
  const expected = Object.entries(lanes).map(([lane, { width }]) => ({
    lane,
    jobs: Object.entries(jobTable)
      .flatMap(([job, entry]) => (entry.lane === lane ? [job] : []))
      .sort(),
    workers: width,
  }))
  const byLane = (of: typeof expected) => of.toSorted((a, b) => a.lane.localeCompare(b.lane))
  expect(byLane(rows as typeof expected)).toEqual(byLane(expected))
})
