import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const serverDir = fileURLToPath(new URL('..', import.meta.url))

/** Bundles programs of `test/fixtures`: starting them from the sources would take most of the time of a test. */
export async function bundleFixtures(outdir: string, files: Readonly<Record<string, string>>): Promise<void> {
  const manifest = JSON.parse(await readFile(join(serverDir, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(files).map(([name, file]) => [name, join(serverDir, 'test', 'fixtures', file)]),
    ),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: Object.keys(manifest.dependencies).filter((name) => !name.startsWith('@plimsoll/')),
    logLevel: 'warning',
  })
}
