import { readdir, readFile } from 'node:fs/promises'
import { agentDirectory } from '../directories.ts'
import { addressNote } from './install-commands.ts'
import { isLoopback } from '../platform/loopback.ts'
import { writeArchive } from '../platform/http/write-archive.ts'

/** The placeholder of the server address in the manifest. */
const addressPlace = '"PLIMSOLL_URL"'
/** The NetworkPolicy rule for the server: the chart derives its port from the address, the manifest does not. */
const portLine = /^( +- port: )\d+( # of the Plimsoll server)$/m
const imageLine = /^( +image: ).*$/m

/**
 * The agent as one file for kubectl, with the server address and an image. The token is in a secret, not in this file.
 */
export async function agentManifest(publicUrl: string): Promise<(image: string | undefined) => string> {
  const template = await readFile(new URL('agent.yaml', agentDirectory), 'utf8')
  // JSON is YAML.
  const addressed = template
    .replace(`value: ${addressPlace}`, () => `value: ${JSON.stringify(publicUrl)}`)
    .replace(portLine, (_line, before: string, after: string) => `${before}${portOf(publicUrl)}${after}`)
  const whole = isLoopback(publicUrl) ? `# ${addressNote(publicUrl)}\n${addressed}` : addressed
  return (image) =>
    image === undefined ? whole : whole.replace(imageLine, (_line, key: string) => `${key}${JSON.stringify(image)}`)
}

function portOf(publicUrl: string): string {
  // An invalid host is reported when the server listens on it.
  if (!URL.canParse(publicUrl)) return '443'
  const { port, protocol } = new URL(publicUrl)
  return port || (protocol === 'http:' ? '80' : '443')
}

/** In the format of `helm package`. */
export async function agentChart(): Promise<Buffer> {
  const directory = new URL('chart/', agentDirectory)
  const names = (await readdir(directory, { recursive: true })).filter((name) => /\.(yaml|tpl)$/.test(name)).sort()
  const files = await Promise.all(
    names.map(async (name) => ({
      path: `plimsoll-agent/${name}`,
      content: await readFile(new URL(name, directory), 'utf8'),
    })),
  )
  return writeArchive(files)
}
