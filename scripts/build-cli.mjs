// Builds the command line as an npm package without dependencies: packages/cli/dist. The scan is a chunk of its own,
// because the other commands must start fast.
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

const target = 'packages/cli/dist'
const unfinished = `packages/cli/dist.${process.pid}`

/** CommonJS dependencies call require. */
const banner =
  "import { createRequire as openRequire } from 'node:module'; const require = openRequire(import.meta.url);"

export async function buildCli() {
  const { version, license, engines } = JSON.parse(await readFile('package.json', 'utf8'))
  await mkdir(unfinished, { recursive: true })
  await build({
    entryPoints: ['packages/cli/src/main.ts'],
    outdir: unfinished,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: banner },
    logLevel: 'warning',
  })
  const manifest = {
    name: 'plimsoll',
    version,
    description: 'Cost of Kubernetes clusters, recommendations and plans from the command line',
    license,
    type: 'module',
    engines,
    bin: { plimsoll: 'main.js', 'kubectl-plimsoll': 'main.js' },
  }
  await writeFile(`${unfinished}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  await cp('packages/cli/README.md', `${unfinished}/README.md`)
  await cp('packages/pricebook/book/pricebook.json.br', `${unfinished}/pricebook.json.br`)
  await cp('LICENSE', `${unfinished}/LICENSE`)
  await replaceTarget()
}

/** Another build may put its package in place between the two steps. */
async function replaceTarget(tries = 3) {
  await rm(target, { recursive: true, force: true })
  try {
    await rename(unfinished, target)
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' || tries === 1) throw error
    await replaceTarget(tries - 1)
  }
}
