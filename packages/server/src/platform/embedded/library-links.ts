import { readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { exists } from './exists.ts'

type Link = { source: string; target: string }

/**
 * npm packages cannot contain symbolic links, so the package creates them in an install script, which npm may block.
 * Returns whether all of them exist now.
 */
export async function makeLibraryLinks(nativeDir: string): Promise<boolean> {
  const made = await Promise.all((await listLinks(nativeDir)).map(makeLink))
  return made.every(Boolean)
}

async function listLinks(nativeDir: string): Promise<Link[]> {
  const text = await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const inPackage = (path: string) => join(nativeDir, relative('native', path))
  return (JSON.parse(text) as Link[]).map(({ source, target }) => ({
    source: inPackage(source),
    target: inPackage(target),
  }))
}

async function makeLink({ source, target }: Link) {
  if (await exists(target)) return true
  await symlink(relative(dirname(target), source), target).catch(() => undefined)
  return exists(target)
}
