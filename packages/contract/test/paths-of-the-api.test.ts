import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const packages = new URL('../../', import.meta.url).pathname

/** These files call the APIs of Kubernetes and Prometheus, whose paths look similar. */
const otherApis = ['agent/src/kubernetes/', 'agent/src/usage/prometheus-client.ts']

const sourcesOf = (name: string) =>
  readdirSync(`${packages}${name}/src`, { recursive: true, encoding: 'utf8' }).map((file) => `${name}/src/${file}`)

const isProduct = (file: string) =>
  /\.(?:tsx?|mjs)$/.test(file) &&
  !/\.test\.tsx?$/.test(file) &&
  !file.startsWith('contract/') &&
  !otherApis.some((each) => file.startsWith(each))

/**
 * A string that begins with an API path, or has one after an interpolated origin. In prose a blank precedes the path.
 */
const pathOfTheApi = /(?<=['"`}])\/(?:api\/v1|auth\/)/

const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line)

test('every path of the API is defined in the contract', () => {
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
