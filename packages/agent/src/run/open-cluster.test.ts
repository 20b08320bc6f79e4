import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../test/use-directory.ts'
import { openCluster } from './open-cluster.ts'
import { BadSetting, readSettings } from './settings.ts'

const directory = useDirectory()

/** What is said of files that lead nowhere tells which of them were looked at. */
async function refusalOf(args: string[], env: Record<string, string>): Promise<string> {
  const settings = readSettings(['--print-payload', ...args], {})
  if (!settings) throw new Error('no settings')
  const deps = { env, now: () => 0, log: () => undefined, random: () => 0 }
  const error: unknown = await openCluster(settings, deps).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(BadSetting)
  return (error as Error).message
}

test('several kubeconfig files may be given, by the setting or by KUBECONFIG, and the setting goes first', async () => {
  const [a, b] = [join(directory.path, 'a'), join(directory.path, 'b')]
  writeFileSync(a, '')
  writeFileSync(b, '{"contexts": [{"name": "of-b", "context": {}}]}')
  const says = (file: string) => `The kubeconfig ${file} has no current context; its contexts are: `
  const both = [a, join(directory.path, 'missing'), b].join(delimiter)
  expect(await refusalOf([], { KUBECONFIG: both })).toBe(`${says(`${a}, ${b}`)}of-b.`)
  const inPod = { KUBECONFIG: both, KUBERNETES_SERVICE_HOST: '10.0.0.1' }
  expect(await refusalOf(['--kubeconfig', a], inPod)).toBe(`${says(a)}none.`)
})

test('outside of a cluster without a kubeconfig, both ways to name one are said', async () => {
  expect(await refusalOf([], {})).toBe('The agent does not run in a pod: set PLIMSOLL_KUBECONFIG or KUBECONFIG.')
})
