import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RealCluster } from './real-cluster.ts'

const agentMain = fileURLToPath(new URL('../../../agent/dist/main.js', import.meta.url))

export type AgentProcess = { log: () => string; stop: () => Promise<void> }

/** The agent with the token of its ServiceAccount only, so its permissions are those of its manifest. */
export async function startAgent(
  { kubectl, plane, directory }: RealCluster,
  { name, url, agentToken, args }: { name: string; url: string; agentToken: string; args: readonly string[] },
): Promise<AgentProcess> {
  const token = (await kubectl('create', 'token', 'plimsoll-agent', '-n', 'plimsoll')).trim()
  const authority = readFileSync(plane.certificate).toString('base64')
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'own' },
    clusters: [{ name: 'own', cluster: { server: plane.origin, 'certificate-authority-data': authority } }],
    users: [{ name: 'own', user: { token } }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
  }
  const file = (suffix: string, text: string) => {
    const path = join(directory, `agent-${name}.${suffix}`)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const child = spawn(
    process.execPath,
    [
      ...[agentMain, '--url', url, '--port', '0', '--data-dir', join(directory, `agent-${name}`)],
      ...['--token-file', file('token', agentToken), '--kubeconfig', file('kubeconfig', JSON.stringify(config))],
      ...args,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH ?? '' } },
  )
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { log: () => log, stop }
}
