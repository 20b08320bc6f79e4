import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../test/use-directory.ts'
import { openCluster } from './open-cluster.ts'
import { BadSetting, readSettings } from './settings.ts'

const directory = useDirectory()

/** The error message shows which files were read. */
async function refusalOf(args: string[], env: Record<string, string>): Promise<string> {
  const settings = readSettings(['--print-payload', ...args], {})
  if (!settings) throw new Error('no settings')
  const deps = { env, now: () => 0, log: () => undefined, random: () => 0 }
  const error: unknown = await openCluster(settings, deps).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(BadSetting)
  return (error as Error).message
}

test('several kubeconfig files can be given, by the setting or by KUBECONFIG, and the setting wins', async () => {
  const [a, b] = [join(directory.path, 'a'), join(directory.path, 'b')]
  writeFileSync(a, '')
  writeFileSync(b, '{"contexts": [{"name": "of-b", "context": {}}]}')
  const expected = (file: string) => `The kubeconfig ${file} has no current context; its contexts are: `
  const both = [a, join(directory.path, 'missing'), b].join(delimiter)
  expect(await refusalOf([], { KUBECONFIG: both })).toBe(`${expected(`${a}, ${b}`)}of-b.`)
  const inPod = { KUBECONFIG: both, KUBERNETES_SERVICE_HOST: '10.0.0.1' }
  expect(await refusalOf(['--kubeconfig', a], inPod)).toBe(`${expected(a)}none.`)
})

test('outside a cluster without a kubeconfig, the error names both ways to set one', async () => {
  expect(await refusalOf([], {})).toBe('The agent does not run in a pod: set PLIMSOLL_KUBECONFIG or KUBECONFIG.')
})
