// Memory, CPU time and bytes per minute of watching a cluster, at four sizes, compared with an informer of the standard
// library. Sizes and seconds are optional: npm run bench:agent -- 5000,50000 60
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const sizes = (process.argv[2] ?? '500,5000,50000,150000').split(',').map(Number)
const seconds = process.argv[3] ?? '60'
const run = promisify(execFile)
/** The informer stores whole objects: 38 KiB per pod were measured, and a list needs additional memory. */
const bytesPerPodOfInformer = 80 * 1024

/** As released: one file without a TypeScript loader. Inside the project, so that imports of the library resolve. */
const cache = join(import.meta.dirname, '../node_modules/.cache')
mkdirSync(cache, { recursive: true })
const directory = mkdtempSync(join(cache, 'bench-agent-'))
const script = join(directory, 'observe.mjs')
// Only for this comparison: its 3,000 files are not part of `npm ci`.
const installed = ['@kubernetes/client-node@1.4.0', '--no-save', '--no-audit', '--no-fund', '--prefix', directory]
await run('npm', ['install', ...installed])
await build({
  entryPoints: [join(import.meta.dirname, 'agent/observe.ts')],
  outfile: script,
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['@kubernetes/client-node'],
})

for (const size of sizes) {
  // One pod in five hundred changes per second: every pod several times an hour.
  const server = fork(join(import.meta.dirname, 'agent/api-server.ts'), [String(size), String(Math.ceil(size / 500))], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [port] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  for (const way of ['observer', 'informer']) {
    const needed = size * bytesPerPodOfInformer
    if (way === 'informer' && freemem() < needed) {
      console.log(`an informer of ${size} pods would need ${Math.round(needed / 2 ** 30)} GiB: skipped`)
      continue
    }
    const { stdout } = await run(process.execPath, [
      '--max-semi-space-size=4',
      ...(way === 'informer' ? [`--max-old-space-size=${Math.max(2048, Math.ceil(needed / 2 ** 20))}`] : []),
      script,
      way,
      port.toString().trim(),
      seconds,
    ])
    console.log(stdout.trim())
  }
  server.kill()
}
rmSync(directory, { recursive: true })
