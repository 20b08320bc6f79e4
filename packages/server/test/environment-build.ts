import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url))

/** Tests that start whole processes use the built service: loading the sources file by file takes much longer. */
export function buildService(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: projectDirectory, stdio: 'inherit' })
}
