import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

const filesOf = (directory: string) =>
  readdirSync(new URL(directory, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(mjs|ts)$/.test(name))
    .map((name) => `${directory}${name}`)

/** A positional argument or an option that holds a password, a token or a key. */
const secretArgument =
  /\[[^\]\n]*\b(password|token|secret|apiKey)\b[^\]\n]*\] = (positionals|process\.argv)|\b(URL|EMAIL) (PASSWORD|TOKEN)\b|'?(password|token|secret)'?: \{ type: 'string'/i

test('no script takes a secret as a command-line argument, which every process of the machine can read', () => {
  const files = [...filesOf('scripts/'), ...filesOf('bench/'), 'CONTRIBUTING.md', 'README.md']
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => secretArgument.test(readFileSync(new URL(file, root), 'utf8')))).toEqual([])
})
