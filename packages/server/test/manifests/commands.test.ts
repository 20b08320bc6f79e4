import { spawnSync } from 'node:child_process'
import { commandsFor, someActions } from '@plimsoll/engine/testing'
import { expect, test } from 'vitest'

const providers = ['aws', 'gcp', 'azure', 'other']

const commandsAt = (provider: string) =>
  someActions.flatMap(({ action, object }) => {
    const cluster = { name: 'prod', provider, region: 'here-1', contextVariable: 'CONTEXT' }
    return commandsFor(action, { object, cluster }).flatMap(({ commands }) => commands)
  })

test.each(providers)('a shell can read the commands for %s', (provider) => {
  const script = commandsAt(provider).join('\n')
  const { status, stderr } = spawnSync('/bin/sh', ['-n'], { input: script, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('a command without its variables calls nothing', () => {
  const [line = ''] = commandsAt('aws')
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { env: { PATH: '/nowhere' }, encoding: 'utf8' })
  expect(status).not.toBe(0)
  expect(stderr).toContain('CONTEXT: is not set')
})
