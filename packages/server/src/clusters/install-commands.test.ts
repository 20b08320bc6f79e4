import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTool, runShell } from '../../test/manifests/kube-tools.ts'
import { agentDirectory } from '../directories.ts'
import { installCommands } from './install-commands.ts'

/** Runs a command with stubs for kubectl and helm that record their arguments and input. */
function recorded(command: string): { args: string; input: string } {
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-install-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const name of ['args', 'input']) writeFileSync(join(directory, name), '')
  const standIn = `#!/bin/sh
echo "$0 $*" >> '${directory}/args'
case "$*" in *stdin*) cat >> '${directory}/input';; esac
`
  for (const name of ['kubectl', 'helm']) {
    writeFileSync(join(directory, name), standIn)
    chmodSync(join(directory, name), 0o755)
  }
  execFileSync('/bin/sh', ['-c', command], { env: { PATH: `${directory}:${process.env.PATH}` }, stdio: 'ignore' })
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  return { args: read('args'), input: read('input') }
}

test.each(['kubectl', 'helm'] as const)(
  'the %s command passes the token through standard input, never as an argument',
  (way) => {
    const commands = installCommands(
      { publicUrl: 'https://costs.example.com', agentImage: 'r.example/agent:1' },
      'pla_secret',
    )
    const { args, input } = recorded(commands[way] ?? '')
    expect(input).toBe('pla_secret')
    expect(args).toContain(way === 'helm' ? 'helm upgrade --install' : 'kubectl apply --filename https://costs')
    expect(args).not.toContain('pla_secret')
  },
)

test.skipIf(!findTool('kubectl'))('kubectl creates the Secret of the token from standard input', () => {
  const { kubectl } = installCommands({ publicUrl: 'https://costs.example.com', agentImage: undefined }, 'pla_secret')
  const create = (kubectl.split(' && ')[1] ?? '').replace(' | kubectl apply --filename -', '')
  expect(runShell(create, tmpdir())).toContain(`token: ${Buffer.from('pla_secret').toString('base64')}`)
})

test('kubectl, Helm and the manifest use the same Secret', () => {
  const { kubectl, helm } = installCommands({ publicUrl: 'https://costs.example.com', agentImage: undefined }, 'pla_x')
  const created = [kubectl, helm].map((command) => /create secret generic (\S+)/.exec(command ?? '')?.[1])
  const manifest = readFileSync(new URL('agent.yaml', agentDirectory), 'utf8')
  expect(created).toEqual(['plimsoll-agent-token', 'plimsoll-agent-token'])
  expect(helm).toContain('existingSecret=plimsoll-agent-token')
  expect(manifest).toContain('secretName: "plimsoll-agent-token"')
})

test('the note says when no image is named, and when no pod can reach the server', () => {
  const { helm, note } = installCommands({ publicUrl: 'http://127.0.0.1:8080', agentImage: undefined }, 'pla_x')
  expect(helm).not.toContain('image=')
  expect(note).toContain('Pods cannot reach this server at http://127.0.0.1:8080')
  expect(note).toContain('?image=')
})

// The second has the name that the chart uses for its own image, but is another one.
test.each(['r.example/agent:1', 'plimsoll-agent:0.2.0'])('a configured image is in the command: %s', (image) => {
  const { helm, note } = installCommands({ publicUrl: 'https://costs.example.com', agentImage: image }, 'pla_x')
  expect(helm).toContain(`image='${image}'`)
  expect(note).toBe(
    `The agent is read-only. The cluster must be able to pull ${image}. The cluster must reach https://costs.example.com.`,
  )
})
