// Everything that can be said about the code without running it, in parallel: types, lint, format, dead code, boundaries.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const packageConfigs = readdirSync('packages').map((name) => `packages/${name}/tsconfig.json`)

const checks = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ...packageConfigs
    .filter((path) => existsSync(path))
    .map((path) => [`types of ${path.split('/')[1]}`, 'tsc', ['-p', path]]),
  ['lint', 'eslint', ['--cache', '.']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['dead code', 'knip', []],
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

const results = await Promise.all(checks.map(run))
for (const { name, ok, output } of results) {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}`)
  if (!ok) console.log(output.trim().replace(/^/gm, '     '))
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
