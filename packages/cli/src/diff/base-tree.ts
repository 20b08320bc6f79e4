import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { usageError } from '../exit-codes.ts'
import { runTool, type ToolOptions } from './run-tool.ts'

/**
 * Extracts the repository at a revision into a temporary directory, and passes the directory that corresponds to the
 * working directory. As in a pull request, the state where the branch began is compared, if it is known.
 */
export async function withBaseTree<Result>(
  ref: string,
  { cwd, env }: ToolOptions,
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  const git = (...args: string[]) => runTool('git', args, { cwd, env })
  const top = (await git('rev-parse', '--show-toplevel')).trim()
  const named = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(() => {
    throw usageError(`git does not know "${ref}". Fetch it first, or use a deeper clone.`)
  })
  const start = await git('merge-base', named.trim(), 'HEAD').catch(() => named)
  const directory = await mkdtemp(join(tmpdir(), 'plimsoll-base-'))
  try {
    const archive = join(directory, 'base.tar')
    const tree = join(directory, 'tree')
    await mkdir(tree)
    await runTool('git', ['archive', '--format=tar', '-o', archive, start.trim()], { cwd: top, env })
    await runTool('tar', ['-xf', archive, '-C', tree], { cwd, env })
    const below = relative(await realpath(top), await realpath(cwd))
    const root = join(tree, below)
    await mkdir(root, { recursive: true })
    return await use(root)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
