// Fails on a barrel export that nothing outside its package imports, and on a module that no barrel reaches. Knip
// counts a barrel or a test as a use, so it misses such code. A barrel named testing has the exports that only tests
// and benches need.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { awaitedExports, awaitedKey } from './awaited-exports.mjs'

/** Packages whose barrels are checked. */
const checked = ['agent', 'client', 'contract', 'engine', 'pipeline', 'pricebook']

/** Packages whose barrels export nothing for tests alone, and whose modules are all reached from a barrel. */
const strict = ['engine']

const isTest = (path) => /\.test\.tsx?$|^packages\/[^/]+\/test\/|^test\//.test(path)
const isBarrel = (path) => /^packages\/[^/]+\/src\/(?:[a-z-]+\/)?index\.ts$/.test(path)
const isForTests = (path) => path.endsWith('/testing/index.ts')
const isBench = (path) => path.startsWith('bench/')

const sources = ['packages', 'bench', 'scripts', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|mjs)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/node_modules|\/dist/.test(path)),
)

const namesIn = (list) =>
  list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')

/** The barrel of an import; undefined for any other file. */
function barrelOf(path, from) {
  const [, name, area] = /^@plimsoll\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(from) ?? []
  if (name) return join('packages', name, 'src', area ?? '', 'index.ts')
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : undefined
}

const packageOf = (path) => /^packages\/[^/]+\//.exec(path)?.[0]

function usedBy(path) {
  const found = [...readFileSync(path, 'utf8').matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/g)]
  return found.flatMap(([, list, from]) => {
    const barrel = barrelOf(path, from)
    if (!barrel || packageOf(barrel) === packageOf(path)) return []
    return namesIn(list).map((name) => `${barrel}: ${name.split(' as ')[0]}`)
  })
}

const used = new Set(sources.filter((path) => !isTest(path)).flatMap(usedBy))
const usedByProduct = new Set(sources.filter((path) => !isTest(path) && !isBench(path)).flatMap(usedBy))
const usedByTests = new Set(sources.filter((path) => isTest(path) || isBench(path)).flatMap(usedBy))

const exported = sources
  .filter((path) => isBarrel(path) && checked.includes(path.split('/')[1]))
  .flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from/g)].flatMap(([, list]) =>
      namesIn(list).map((name) => ({ path, key: `${path}: ${name.split(' as ').at(-1)}` })),
    ),
  )

// A pattern that no longer matches the sources would find nothing and pass.
const exportsMin = 300
if (exported.length < exportsMin)
  throw new Error(`Only ${exported.length} exports found. Does the pattern still match?`)

const isStrict = (path) => strict.includes(path.split('/')[1])
const isUsed = ({ path, key }) =>
  isForTests(path) ? usedByTests.has(key) : used.has(key) || (!isStrict(path) && usedByTests.has(key))
const dead = exported.filter((each) => !isUsed(each) && !awaitedExports.has(awaitedKey(each.key)))
const misplaced = [...usedByProduct].filter((key) => key.includes('/testing/index.ts: '))

/** Modules that a barrel reaches, directly or indirectly. */
function reachedFrom(barrels) {
  const reached = new Set(barrels)
  for (const path of reached) {
    for (const [, from] of readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      reached.add(normalize(join(dirname(path), from)))
    }
  }
  return reached
}

const reached = reachedFrom(exported.map(({ path }) => path).filter((path) => !isForTests(path)))
const unreached = sources.filter(
  (path) => isStrict(path) && !isTest(path) && !/\/testing\/|\/builders\.ts$/.test(path) && !reached.has(path),
)

for (const path of unreached) console.log(`${path} is reached by no barrel`)
for (const { key } of dead) console.log(`${key} is imported by nothing outside its package`)
for (const key of misplaced) console.log(`${key} is for tests and imported by a product`)
if (unreached.length > 0 || dead.length > 0 || misplaced.length > 0) process.exitCode = 1
