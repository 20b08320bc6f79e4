// Builds the release: the dashboard, the command line, the agent, the server and its threads with their workspace
// packages, one file each. The files of the server and the agent have the same directory depth as the sources, so that
// migrations, assets and dependencies have the same relative paths. Bundling takes less time than loading the sources
// file by file, so npm start does it too. Each file is replaced atomically, because several processes may start at once.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { buildCli } from './build-cli.mjs'
import { bundledPackages } from './bundled-packages.mjs'
import { buildWeb } from './build-web.mjs'

/** The dependencies of a package and of its workspace packages, which are bundled into it. */
async function installedFor(name) {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(`packages/${name}/package.json`, 'utf8'))
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const ofEach = names.map((each) =>
    each.startsWith('@plimsoll/') ? installedFor(each.slice('@plimsoll/'.length)) : [each],
  )
  return (await Promise.all(ofEach)).flat()
}

async function bundle(name, entries) {
  const installed = await installedFor(name)
  const { outputFiles } = await build({
    write: false,
    entryPoints: entries.map((entry) => `packages/${name}/src/${entry}.ts`),
    outbase: `packages/${name}/src`,
    outdir: `packages/${name}/dist`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    external: installed.filter((each) => !bundledPackages.has(each)),
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, contents)
    await rename(unfinished, path)
  }
}

const parts = ['--server', '--agent', '--cli', '--demo']
const builds = (part) => process.argv.includes(part) || !process.argv.some((each) => parts.includes(each))

// A start of the server need not wait for the agent, and a release has no demo.
if (builds('--cli')) await buildCli()
if (builds('--agent')) await bundle('agent', ['main'])
if (process.argv.includes('--demo')) await bundle('simulator', ['demo/main'])
if (builds('--server')) {
  await bundle('server', [
    'main',
    'service-worker',
    'fold-worker',
    'figures-worker',
    'incidents-worker',
    'analysis-worker',
    'price-book-worker',
    'focus-worker',
    'parse-worker',
  ])
  await buildWeb()
}
if (!process.argv.includes('--quiet')) console.log('built; start it with: npm run start:release')
