// Lines of tests per line of code in each package, now or at a commit: npm run test:ratio [-- COMMIT]
import { execFileSync } from 'node:child_process'

const commit = process.argv[2] ?? 'HEAD'
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })

const sources = /^packages\/([^/]+)\/(src|test)\/.*\.(ts|tsx|mts)$/
const isTest = (path) => /\.test\.tsx?$/.test(path) || path.split('/')[2] === 'test'

const lines = new Map()
for (const path of git('ls-tree', '-r', '--name-only', commit, 'packages').split('\n')) {
  const name = sources.exec(path)?.[1]
  if (name === undefined) continue
  const counted = lines.get(name) ?? { code: 0, tests: 0 }
  counted[isTest(path) ? 'tests' : 'code'] += git('show', `${commit}:${path}`).split('\n').length - 1
  lines.set(name, counted)
}

console.log(`Lines at ${git('rev-parse', '--short', commit).trim()}`)
console.log('package       code   tests  ratio')
for (const [name, { code, tests }] of lines) {
  console.log(
    `${name.padEnd(10)} ${String(code).padStart(7)} ${String(tests).padStart(7)}  ${(tests / code).toFixed(2)}`,
  )
}
