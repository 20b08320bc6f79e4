import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../../test/use-directory.ts'
import { mergeKubeconfigs, pathIn, readKubeconfig, textIn } from './read-kubeconfig.ts'

const directory = useDirectory()

const first = `
current-context: one
clusters:
  - {name: shared, cluster: {server: 'https://first'}}
users:
  - {name: red, user: {token: first-token}}
contexts:
  - {name: one, context: {cluster: shared, user: red}}
`
const second = `
current-context: two
clusters:
  - {name: shared, cluster: {server: 'https://second', tls-server-name: other}}
  - {name: own, cluster: {server: 'https://own', certificate-authority: ca/ca.crt}}
users:
  - {name: red, user: {username: somebody}}
contexts:
  - {name: two, context: {cluster: own, user: red}}
`

test('the first of several files that defines an entry wins, and entries are not merged', () => {
  const { currentContext, clusters, users, contexts } = mergeKubeconfigs([
    ['/a/config', first],
    ['/b/config', second],
  ])
  expect(currentContext).toBe('one')
  expect([...contexts.keys()]).toEqual(['one', 'two'])
  expect(clusters.get('shared')?.fields).toEqual({ server: 'https://first' })
  expect(users.get('red')?.fields).toEqual({ token: 'first-token' })
  const own = clusters.get('own')
  expect(own && pathIn(own, 'certificate-authority')).toBe('/b/ca/ca.crt')
  expect(mergeKubeconfigs([['/b/config', second]]).currentContext).toBe('two')
})

test('missing files of a list are ignored, unless all are missing', async () => {
  mkdirSync(join(directory.path, 'b'))
  const [missing, there] = [join(directory.path, 'missing'), join(directory.path, 'b', 'config')]
  writeFileSync(there, second)
  expect((await readKubeconfig([missing, '', there, there])).path).toBe(there)
  await expect(readKubeconfig([missing, `${missing}-too`])).rejects.toThrow('None of the kubeconfig files exists')
  await expect(readKubeconfig([missing])).rejects.toThrow(/^The kubeconfig .+ cannot be read: ENOENT/)
})

test.each([
  ['clusters: {}', "has a 'clusters' field that is not a list"],
  ['users: [{user: {}}]', "has an entry without a name in 'users'"],
  ['users: [{name: a}, {name: a}]', "names 'a' twice in 'users'"],
  ['just text', 'is not a valid kubeconfig'],
])('%s is rejected with one sentence', (content, expected) => {
  expect(() => mergeKubeconfigs([['config', content]])).toThrow(expected)
})

test('a token that YAML parses as a number is rejected', () => {
  const user = mergeKubeconfigs([['config', 'users: [{name: a, user: {token: 12345}}]']]).users.get('a')
  expect(() => user && textIn(user, 'token')).toThrow("has a 'token' of 'a' that is not a string")
})
