import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const packages = new URL('../../', import.meta.url).pathname

/** These call the API of Kubernetes and of Prometheus, whose paths look alike. */
const otherApis = ['agent/src/kubernetes/', 'agent/src/usage/prometheus-client.ts']

const sourcesOf = (name: string) =>
  readdirSync(`${packages}${name}/src`, { recursive: true, encoding: 'utf8' }).map((file) => `${name}/src/${file}`)

const isProduct = (file: string) =>
  /\.(?:tsx?|mjs)$/.test(file) &&
  !/\.test\.tsx?$/.test(file) &&
  !file.startsWith('contract/') &&
  !otherApis.some((each) => file.startsWith(each))

/** A text that begins with such a path, or has one after an inserted address. Prose has a blank before it. */
const pathOfTheApi = /(?<=['"`}])\/(?:api\/v1|auth\/)/

const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line)

test('no path of the API stands outside of the contract', () => {
  const files = readdirSync(packages).flatMap(sourcesOf).filter(isProduct)
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) =>
    readFileSync(packages + file, 'utf8')
      .split('\n')
      .filter((line) => pathOfTheApi.test(line) && !isComment(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
