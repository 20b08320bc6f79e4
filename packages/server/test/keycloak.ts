import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The directory of scripts/install-keycloak. Undefined: its test is skipped with a message. */
export function findKeycloak(): string | undefined {
  const directory = process.env.PLIMSOLL_KEYCLOAK
  if (directory !== undefined && existsSync(join(directory, 'bin/kc.sh'))) return directory
  process.stderr.write('SKIPPED: no Keycloak; run scripts/install-keycloak and set PLIMSOLL_KEYCLOAK\n')
  return undefined
}

export type Keycloak = { issuer: string; close: () => Promise<void> }

/** Starts Keycloak in a separate copy, with this realm. */
export async function startKeycloak(directory: string, realm: { realm: string }): Promise<Keycloak> {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-keycloak-'))
  cpSync(directory, home, { recursive: true })
  mkdirSync(join(home, 'data/import'), { recursive: true })
  writeFileSync(join(home, 'data/import/realm.json'), JSON.stringify(realm))
  const port = await freePort()
  const args = ['start-dev', '--import-realm', `--http-port=${port}`, '--http-host=127.0.0.1', '--health-enabled=false']
  const process = spawn(join(home, 'bin/kc.sh'), args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const issuer = `http://127.0.0.1:${port}/realms/${realm.realm}`
  const close = async () => {
    await stop(process)
    rmSync(home, { recursive: true, force: true })
  }
  try {
    await untilReady(process, `${issuer}/.well-known/openid-configuration`)
  } catch (error) {
    await close()
    throw error
  }
  return { issuer, close }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilReady(process: ChildProcess, url: string): Promise<void> {
  let output = ''
  for (const stream of [process.stdout, process.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
    })
  }
  while (process.exitCode === null) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await pause(500)
  }
  throw new Error(`Keycloak ended:\n${output}`)
}

/** With its group: kc.sh starts Java as a child. */
async function stop(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.pid === undefined) return
  const ended = once(process, 'exit')
  globalThis.process.kill(-process.pid, 'SIGKILL')
  await ended
}
