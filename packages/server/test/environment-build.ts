import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url))

/** Tests that start whole processes use the built service: loading the sources file by file takes much longer. */
export async function buildService(): Promise<void> {
  const build = spawn(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: projectDirectory, stdio: 'inherit' })
  const [code] = (await once(build, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The build of the service ended with ${code}.`)
}
