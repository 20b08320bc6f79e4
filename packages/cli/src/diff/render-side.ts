import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { usageError } from '../exit-codes.ts'
import type { Rendered } from './read-workloads.ts'
import { runTool, type ToolOptions } from './run-tool.ts'

export type Sources = {
  /** Files, directories of plain manifests, and charts. */
  readonly filename: readonly string[]
  readonly kustomize: string | undefined
  /** Values files for charts. */
  readonly values: readonly string[]
}

export type RenderContext = ToolOptions & { readonly warn: (text: string) => void }

const manifestName = /\.(ya?ml|json)$/
const filesMax = 20_000

/** Every manifest below a directory, rendered as the sources say. */
export async function renderSide(sources: Sources, root: string, context: RenderContext): Promise<Rendered[]> {
  const { filename, kustomize, values } = sources
  const found: Rendered[] = []
  for (const path of filename) found.push(...(await renderPath(resolve(root, path), { path, values, root, context })))
  if (kustomize !== undefined) {
    const text = await kustomized(resolve(root, kustomize), { ...context, cwd: root })
    found.push({ source: kustomize, text })
  }
  return found
}

type Place = { path: string; values: readonly string[]; root: string; context: RenderContext }

async function renderPath(absolute: string, { path, values, root, context }: Place): Promise<Rendered[]> {
  const found = await stat(absolute).catch(() => undefined)
  if (!found) throw usageError(`There is no ${path}.`)
  if (!found.isDirectory()) return [{ source: path, text: await readFile(absolute, 'utf8') }]
  const names = await readdir(absolute)
  if (names.includes('Chart.yaml')) {
    const files = values.flatMap((file) => ['--values', resolve(root, file)])
    const text = await runTool('helm', ['template', 'release', absolute, ...files], { ...context, cwd: root })
    return [{ source: path, text }]
  }
  if (names.includes('kustomization.yaml')) context.warn(`${path} is a kustomization: use -k instead of -f.\n`)
  return readDirectory(absolute, { root, warn: context.warn })
}

async function readDirectory(
  directory: string,
  { root, warn }: { root: string; warn: (text: string) => void },
): Promise<Rendered[]> {
  const found: Rendered[] = []
  const queue = [directory]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const entries = await readdir(next, { withFileTypes: true })
    if (next !== directory && entries.some(({ name }) => name === 'Chart.yaml')) {
      warn(`${relative(root, next)} is a chart and is not rendered. Use -f ${relative(root, next)}.\n`)
      continue
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next, entry.name)
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') queue.push(path)
      if (!entry.isFile() || !manifestName.test(entry.name)) continue
      if (found.length >= filesMax) throw usageError(`${directory} has more than ${filesMax} manifests.`)
      found.push({ source: relative(root, path), text: await readFile(path, 'utf8') })
    }
  }
  return found
}

/** kubectl contains kustomize; a machine for builds may have only kustomize. */
async function kustomized(directory: string, options: ToolOptions): Promise<string> {
  try {
    return await runTool('kubectl', ['kustomize', directory], options)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('not installed')) throw error
    return runTool('kustomize', ['build', directory], options).catch((second: Error) => {
      const isMissing = second.message.includes('not installed')
      throw isMissing ? usageError('-k needs kubectl or kustomize in PATH.') : second
    })
  }
}
