import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

const notOurs = /(^|\/)(node_modules|dist)\//

const filesOf = (directory: string, isMeant: (name: string) => boolean) =>
  readdirSync(new URL(directory, root), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((path) => !notOurs.test(path) && isMeant(path))

const isProgram = (path: string) => /\.(mjs|mts|ts)$/.test(path) && !path.endsWith('.test.ts')
const isShell = (path: string) => /\/[\w-]+$/.test(path)

/** Without the folders of installed packages and builds, which have many more files than the sources. */
const packageFolders = () =>
  readdirSync(new URL('packages/', root), { recursive: false, encoding: 'utf8' }).flatMap((name) =>
    readdirSync(new URL(`packages/${name}/`, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
      .map((entry) => `packages/${name}/${entry.name}/`),
  )

const programs = ['scripts/', 'bench/', 'test/', ...packageFolders()].flatMap((folder) => filesOf(folder, isProgram))
const shellScripts = ['scripts/', '.ci/'].flatMap((folder) => filesOf(folder, isShell))

const secret = /password|token|secret|database_?url/i
const readsArguments = /= positionals|process\.argv|: \{ type: 'string'/
const writtenUsage = /\b(URL|EMAIL) (PASSWORD|TOKEN)\b/
const inFile = /\bfile\([^)]*\)|'--[\w-]+-file'|'--[\w-]+-file=[^']*'/g

/** The first argument list of each process that a program starts. */
const argumentLists = (text: string) =>
  [...text.matchAll(/\b(?:execFile|execFileSync|spawn|spawnSync)\)?\([^[;]{0,200}\[([^;]*?)\](?:,|\))/g)].map(
    ([, list = '']) => list.replaceAll(inFile, ''),
  )

const secretsIn = (text: string) => [
  ...text.split('\n').filter((line) => (readsArguments.test(line) && secret.test(line)) || writtenUsage.test(line)),
  ...argumentLists(text).filter((list) => secret.test(list)),
]

const assignments = /(?<![-\w])[A-Za-z_]\w*=(?:"[^"]*"|\S+)/g
const secretVariable = /\$\{?\w*(?:password|token|secret|database_?url)/i
const secretParameter = /\b\w*(?:password|token|secret)\w*=["']?\$\{?[1-9@*]/i

/** Variables before a command are in its environment, which other users cannot read. */
const secretsInShell = (text: string) =>
  text.split('\n').filter((line) => secretParameter.test(line) || secretVariable.test(line.replaceAll(assignments, '')))

const read = (file: string) => readFileSync(file.startsWith('/') ? file : new URL(file, root), 'utf8')

test('no program takes or passes a secret as a command-line argument, which every process can read', () => {
  expect(programs.length).toBeGreaterThan(500)
  const documents = ['CONTRIBUTING.md', 'README.md']
  expect([...programs, ...documents].flatMap((file) => secretsIn(read(file)))).toEqual([])
})

test('no shell script takes or passes a secret as a command-line argument', () => {
  expect(shellScripts.length).toBeGreaterThan(5)
  expect(shellScripts.flatMap((file) => secretsInShell(read(file)))).toEqual([])
})

test('secrets in arguments are found, and secrets in variables and files are not', () => {
  const dump = "await promisify(execFile)('pg_dump', [...flags, databaseUrl], options)"
  const files = "spawn(node, ['--token-file', file('token', agentToken)], { env: { TOKEN: token } })"
  expect([secretsIn(dump).length, secretsIn(files)]).toEqual([1, []])
  const given = ['psql "$DATABASE_URL"', 'agent --token=$TOKEN', 'password=$1', 'curl -H "X-Api-Key: ${API_TOKEN}"']
  expect(given.flatMap(secretsInShell)).toEqual(given)
  expect(['PGPASSWORD="$PASSWORD" psql', 'token=$(cat "$file")'].flatMap(secretsInShell)).toEqual([])
})
