import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

const filesOf = (directory: string) =>
  readdirSync(new URL(directory, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(mjs|ts)$/.test(name))
    .map((name) => `${directory}${name}`)

const readsArguments = /= positionals|process\.argv|: \{ type: 'string'/
const namesSecret = /password|token|secret/i
const writtenUsage = /\b(URL|EMAIL) (PASSWORD|TOKEN)\b/

const takesSecret = (line: string) => (readsArguments.test(line) && namesSecret.test(line)) || writtenUsage.test(line)

test('no script takes a secret as a command-line argument, which every process of the machine can read', () => {
  const files = [...filesOf('scripts/'), ...filesOf('bench/'), 'CONTRIBUTING.md', 'README.md']
  expect(files.length).toBeGreaterThan(20)
  const linesOf = (file: string) => readFileSync(new URL(file, root), 'utf8').split('\n')
  expect(files.flatMap((file) => linesOf(file).filter(takesSecret))).toEqual([])
})
