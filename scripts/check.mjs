// Runs all static checks in parallel: types, lint, format, dead code, boundaries.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The caches of the tools: a second run checks only the changes. */
const cache = 'node_modules/.cache/check'

/** The native compiler needs a third of the time. It has no binary for some platforms, where tsc checks the types. */
const hasNativeCompiler = spawnSync(process.execPath, ['node_modules/.bin/tsgo', '--version']).status === 0
const compiler = hasNativeCompiler ? 'tsgo' : 'tsc'

const types = (name, config) => [
  name,
  compiler,
  ['-p', config, '--incremental', '--tsBuildInfoFile', `${cache}/${compiler}-${name.replaceAll(' ', '-')}.tsbuildinfo`],
]

/** One process for everything would need more memory than Node allows by default. */
const lintedAlone = ['server', 'engine', 'web']

const lint = (name, args) => [
  name,
  'eslint',
  ['--cache', '--cache-location', `${cache}/eslint-${name.replaceAll(' ', '-')}`, ...args],
]

const checks = [
  types('types', 'tsconfig.json'),
  ...readdirSync('packages')
    .filter((name) => existsSync(`packages/${name}/tsconfig.json`))
    .map((name) => types(`types of ${name}`, `packages/${name}/tsconfig.json`)),
  ...lintedAlone.map((name) => lint(`lint of ${name}`, [`packages/${name}`])),
  lint('lint', ['.', ...lintedAlone.flatMap((name) => ['--ignore-pattern', `packages/${name}/**`])]),
  [
    'format',
    'prettier',
    [
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      `${cache}/prettier`,
      '.',
    ],
  ],
  ['dead code', 'knip', []],
  ['dead exports', 'tsx', ['scripts/dead-exports.mjs']],
  ['exports for tests only', 'tsx', ['scripts/test-only-exports.mjs']],
  ['rules page', 'tsx', ['scripts/rules-page.mjs', '--check']],
  ['boundaries', 'depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'packages']],
]

function run([name, command, args]) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`node_modules/.bin/${command}`, ...args])
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ name, ok: code === 0, output }))
  })
}

async function runNext() {
  const check = checks.shift()
  if (!check) return
  const { name, ok, output } = await run(check)
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}`)
  if (!ok) {
    console.log(output.trim().replace(/^/gm, '     '))
    process.exitCode = 1
  }
  await runNext()
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext))
