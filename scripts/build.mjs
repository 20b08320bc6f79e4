// The release: the dashboard, the agent, and the server and its threads with their workspace packages, one file each, at the same depth
// as the sources, so that they find migrations, assets and the installed dependencies in the same places. It takes less time
// than loading the sources file by file would, so npm start does it too; each file appears whole, for several may be
// starting at once.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { buildWeb } from './build-web.mjs'

// Modules of hundreds of files: finding and reading each of them would be half of the time that a start takes.
const ofManySmallFiles = new Set(['@fastify/type-provider-typebox', 'jose', 'kysely', 'typebox'])

async function bundle(name, entries) {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(`packages/${name}/package.json`, 'utf8'))
  const installed = Object.keys({ ...dependencies, ...optionalDependencies })
  const { outputFiles } = await build({
    write: false,
    entryPoints: entries.map((entry) => `packages/${name}/src/${entry}.ts`),
    outdir: `packages/${name}/dist`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    external: installed.filter((each) => !each.startsWith('@plimsoll/') && !ofManySmallFiles.has(each)),
    logLevel: 'warning',
  })
  await mkdir(`packages/${name}/dist`, { recursive: true })
  for (const { path, contents } of outputFiles) {
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, contents)
    await rename(unfinished, path)
  }
}

// Whoever starts one of the two need not wait for the other.
if (!process.argv.includes('--server')) await bundle('agent', ['main'])
if (!process.argv.includes('--agent')) {
  await bundle('server', [
    'main',
    'service-worker',
    'fold-worker',
    'figures-worker',
    'analysis-worker',
    'price-book-worker',
    'parse-worker',
  ])
  await buildWeb()
}
if (!process.argv.includes('--quiet')) console.log('built; start it with: npm run start:release')
