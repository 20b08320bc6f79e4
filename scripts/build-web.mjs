// Builds the dashboard as files with hashed names. Skips the build if its sources did not change, so that npm start is
// fast. Replaces the output atomically, because several processes may start at once.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'

const root = 'packages/web'
const dist = `${root}/dist`
const stamp = '.built-from'

/**
 * Hashes the sources of the build: the pages, the client, and the routes and permissions of the contract. The rest of
 * the contract is types only.
 */
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

/** True if it was built. */
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
