import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** Base images that a registry may replace under the same name. */
function unpinnedImages(dockerfile: string): string[] {
  const lines = dockerfile.split('\n').filter((line) => /^FROM\s/i.test(line))
  const stages = new Set(lines.flatMap((line) => /\sAS\s+(\S+)/i.exec(line)?.[1] ?? []))
  const images = lines.map((line) => line.split(/\s+/).find((word, index) => index > 0 && !word.startsWith('--')) ?? '')
  const isPinned = (image: string) => image === 'scratch' || /@sha256:[0-9a-f]{64}$/.test(image)
  return images.filter((image) => !stages.has(image) && !isPinned(image))
}

test('every Dockerfile names its base images by digest', () => {
  const names = readdirSync(join(project, 'deploy'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /(^|\/)Dockerfile/.test(name))
  expect(files).toEqual(expect.arrayContaining(['agent/Dockerfile', 'server/Dockerfile']))
  for (const file of files)
    expect(unpinnedImages(readFileSync(join(project, 'deploy', file), 'utf8')), file).toEqual([])
})

test('a tag alone is not pinned; an earlier stage and an empty image need no digest', () => {
  const digest = `@sha256:${'0'.repeat(64)}`
  expect(unpinnedImages('FROM node:24-alpine AS build\nFROM build')).toEqual(['node:24-alpine'])
  expect(unpinnedImages(`FROM --platform=linux/amd64 node:24${digest} AS build\nFROM build\nFROM scratch`)).toEqual([])
})
