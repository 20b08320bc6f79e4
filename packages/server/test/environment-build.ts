import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url))

/** Tests that start whole processes start what people start, and loading the sources file by file would take far longer. */
export function buildService(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--quiet'], { cwd: projectDirectory, stdio: 'inherit' })
}
