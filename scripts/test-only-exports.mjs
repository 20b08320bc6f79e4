// Fails on an exported name of a package that no product code uses: neither its own file nor an import outside of tests
// and benches. A barrel only passes names on, so it does not count as a use.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { awaitedExports, awaitedKey } from './awaited-exports.mjs'

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|mjs)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/node_modules|\/dist/.test(path))

/** The simulator makes clusters for tests and benches, so what only they use is its product. */
const isForTestsByPurpose = (path) => path.startsWith('packages/simulator/')

/** Builders of test values, and barrels named testing, exist for tests. */
const isForTests = (path) => /\.test\.tsx?$|^packages\/[^/]+\/test\/|\/testing\/|\/builders\.ts$|\.d\.m?ts$/.test(path)

const product = [...filesIn('packages'), ...filesIn('scripts')].filter((path) => !isForTests(path))
const texts = new Map(product.map((path) => [path, withoutComments(readFileSync(path, 'utf8'))]))

function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')
}

function moduleOf(path, from) {
  const [, name, area] = /^@plimsoll\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(from) ?? []
  if (name) return join('packages', name, area === 'testing' ? 'test' : 'src', area ?? '', 'index.ts')
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : undefined
}

/** The names of a list such as `a, type B, c as d`, each as it is called in the other module. */
const listed = (list) =>
  list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each) => ({ inner: each.split(' as ')[0], outer: each.split(' as ').at(-1) }))

const passedOn = new Map()
for (const [path, text] of texts) {
  for (const [, list, from] of text.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)) {
    for (const { inner, outer } of listed(list)) passedOn.set(`${path}: ${outer}`, `${moduleOf(path, from)}: ${inner}`)
  }
}

function sourceOf(key) {
  const next = passedOn.get(key)
  return next === undefined ? key : sourceOf(next)
}

const used = new Set()
const wholly = new Set()
for (const [path, text] of texts) {
  for (const [, list, from] of text.matchAll(/import (?:type )?(?:\w+, )?\{([^}]*)\} from '([^']+)'/g)) {
    for (const { inner } of listed(list)) used.add(sourceOf(`${moduleOf(path, from)}: ${inner}`))
  }
  for (const [, from] of text.matchAll(
    /(?:import \* as \w+ from|import\(|import type \w+ from|typeof import\() ?'([^']+)'/g,
  ))
    wholly.add(moduleOf(path, from))
}

const dead = []
let count = 0
for (const [path, text] of texts) {
  if (!path.startsWith('packages/') || isForTestsByPurpose(path) || wholly.has(path)) continue
  for (const [, name] of text.matchAll(/^export (?:declare )?(?:async )?(?:function|const|class|type)\*? (\w+)/gm)) {
    count += 1
    const own = text.match(new RegExp(String.raw`\b${name}\b`, 'g')) ?? []
    if (own.length < 2 && !used.has(`${path}: ${name}`)) dead.push(`${path}: ${name}`)
  }
}

// A pattern that no longer matches the sources would find nothing and pass.
if (count < 1500) throw new Error(`Only ${count} exports found. Does the pattern still match?`)

const awaited = new Set(dead.map(awaitedKey).filter((key) => awaitedExports.has(key)))
const unexpected = dead.filter((key) => !awaited.has(awaitedKey(key)))
const stale = [...awaitedExports.keys()].filter((key) => !awaited.has(key))

for (const key of unexpected) console.log(`${key} is used by tests and benches only, or by nothing`)
for (const key of stale) console.log(`${key} is used or gone: remove it from scripts/awaited-exports.mjs`)
if (unexpected.length > 0 || stale.length > 0) process.exitCode = 1
