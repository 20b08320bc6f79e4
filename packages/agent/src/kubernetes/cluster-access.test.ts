import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../test/use-directory.ts'
import { kubeconfigAccess } from './cluster-access.ts'

const directory = useDirectory()
const context = { name: 'prod', context: { cluster: 'gone', user: 'me' } }

test.each([
  { name: 'is no YAML', text: '{{{', says: 'cannot be read: ' },
  { name: 'has no current context', text: JSON.stringify({ contexts: [context] }), says: 'contexts are: prod.' },
  { name: 'has no context at all', text: '{}', says: 'has no current context; its contexts are: none.' },
  {
    name: 'has no cluster for its context',
    text: JSON.stringify({ contexts: [context], 'current-context': 'prod' }),
    says: "has no cluster for the context 'prod'",
  },
])('a kubeconfig that $name is refused in one sentence that names it', async ({ text, says }) => {
  const path = join(directory.path, 'config')
  writeFileSync(path, text)
  const error = await kubeconfigAccess(path).catch((each: Error) => each)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).message).toContain(says)
  expect((error as Error).message).toMatch(/^The kubeconfig \S+config [^\n]+\.$/)
})

test('a kubeconfig that is not there is said to be missing', async () => {
  await expect(kubeconfigAccess(join(directory.path, 'nope'))).rejects.toThrow(
    /^The kubeconfig .+ cannot be read: ENOENT/,
  )
})
