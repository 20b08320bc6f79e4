// The release: the dashboard, and the server and its threads with their workspace packages, one file each, at the same depth
// as the sources, so that they find migrations, assets and the installed dependencies in the same places. It takes less time
// than loading the sources file by file would, so npm start does it too; each file appears whole, for several may be
// starting at once.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { buildWeb } from './build-web.mjs'

const { dependencies, optionalDependencies } = JSON.parse(await readFile('packages/server/package.json', 'utf8'))
const installed = Object.keys({ ...dependencies, ...optionalDependencies })

const { outputFiles } = await build({
  write: false,
  entryPoints: ['main', 'fold-worker', 'analysis-worker'].map((name) => `packages/server/src/${name}.ts`),
  outdir: 'packages/server/dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: installed.filter((name) => !name.startsWith('@plimsoll/')),
  logLevel: 'warning',
})
await buildWeb()
await mkdir('packages/server/dist', { recursive: true })
for (const { path, contents } of outputFiles) {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}
if (!process.argv.includes('--quiet')) console.log('built; start it with: npm run start:release')
