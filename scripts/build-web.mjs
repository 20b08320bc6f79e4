// The dashboard as files with hashed names. Skipped when nothing that goes into it has changed since it was built last, so
// that npm start does not wait for it; it appears whole, for several may be starting at once.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'

const root = 'packages/web'
const dist = `${root}/dist`
const stamp = '.built-from'

/** What the build is made of: the page, the client, and the routes and permissions of the contract. Its other parts are types. */
async function fingerprint() {
  const hash = createHash('sha256')
  const directories = [`${root}/src`, 'packages/client/src', 'packages/contract/src/routes']
  const entries = await Promise.all(
    directories.map((directory) => readdir(directory, { recursive: true, withFileTypes: true })),
  )
  const sources = entries
    .flat()
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
  const others = ['index.html', 'vite.config.mjs', 'package.json'].map((name) => `${root}/${name}`)
  for (const file of [...sources, ...others, 'packages/contract/src/permissions.ts', 'package-lock.json'].sort()) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(file))
      .update('\0')
  }
  return hash.digest('hex')
}

async function isBuiltFrom(wanted) {
  return existsSync(`${dist}/${stamp}`) && (await readFile(`${dist}/${stamp}`, 'utf8')) === wanted
}

/** True when it had to be built. */
export async function buildWeb() {
  const wanted = await fingerprint()
  if (await isBuiltFrom(wanted)) return false
  const { build } = await import('vite')
  const unfinished = `dist.${process.pid}`
  await build({ root, logLevel: 'error', build: { outDir: unfinished, emptyOutDir: true } })
  await writeFile(`${root}/${unfinished}/${stamp}`, wanted)
  const old = `${root}/${unfinished}.old`
  if (existsSync(dist)) await rename(dist, old)
  await rename(`${root}/${unfinished}`, dist)
  await rm(old, { recursive: true, force: true })
  return true
}
