import { readdir, readFile } from 'node:fs/promises'
import { agentDirectory } from './directories.ts'
import { writeArchive } from './manifests/write-archive.ts'

/** What the manifest holds in the place of the server's address. */
const addressPlace = '"PLIMSOLL_URL"'

/** The agent as one file for kubectl, for a server at this address. Its token is in a secret, and not in here. */
export async function agentManifest(publicUrl: string): Promise<string> {
  const text = await readFile(new URL('agent.yaml', agentDirectory), 'utf8')
  // JSON is YAML.
  return text.replace(`value: ${addressPlace}`, () => `value: ${JSON.stringify(publicUrl)}`)
}

/** As `helm package` makes it. */
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
