// The release: the server and its thread with their workspace packages, one file each, at the same depth as the sources, so
// that they find migrations, assets and the installed dependencies in the same places.
import { readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const { dependencies, optionalDependencies } = JSON.parse(await readFile('packages/server/package.json', 'utf8'))
const installed = Object.keys({ ...dependencies, ...optionalDependencies })

await rm('packages/server/dist', { recursive: true, force: true })
await build({
  entryPoints: ['packages/server/src/main.ts', 'packages/server/src/fold-worker.ts'],
  outdir: 'packages/server/dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: installed.filter((name) => !name.startsWith('@plimsoll/')),
  logLevel: 'warning',
})
console.log('built; start it with: npm run start:release')
