import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))

test('the bundle of the demo loads', { timeout: 120_000 }, async () => {
  await execute(process.execPath, ['scripts/build.mjs', '--quiet', '--demo'], { cwd: root })
  const { stdout } = await execute(process.execPath, ['packages/simulator/dist/demo/main.js', '--help'], { cwd: root })
  expect(stdout).toMatch(/^npm run demo /)
})
