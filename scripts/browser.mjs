// A Chromium for the tests of the pages and for pictures of them. On Linux with an x64 processor it is the one that npm ci brings, so
// that every machine runs the same version; elsewhere it is the one of this machine.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { writeFontConfig } from './browser-fonts.mjs'

/** The package holds a browser for this kind of machine only. */
const canUnpack = process.platform === 'linux' && process.arch === 'x64'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const installed =
  process.env.PLIMSOLL_CHROMIUM || (canUnpack ? undefined : usualPlaces.find((place) => existsSync(place)))

/** False: tests that need a browser are skipped. */
export const hasBrowser = installed !== undefined || canUnpack

/** `fonts`: 'project' for the fonts of the development dependencies, 'machine' for those of this machine. */
export async function openBrowser({ fonts = 'project' } = {}) {
  if (!hasBrowser) throw new Error('This machine has no Chromium. Set PLIMSOLL_CHROMIUM to the path of one.')
  // Containers have a small /dev/shm and no sandbox for root.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  const { executablePath, env } = installed === undefined ? await unpack() : { executablePath: installed, env: {} }
  return chromium.launch({
    args,
    executablePath,
    env: { ...process.env, ...env, FONTCONFIG_FILE: writeFontConfig(fonts) },
  })
}

const unpacked = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url))

async function unpack() {
  if (!existsSync(unpacked)) await unpackOnce()
  // The package brings the libraries that a machine without a desktop lacks.
  return { executablePath: `${unpacked}/chromium`, env: { LD_LIBRARY_PATH: `${unpacked}/al2023/lib` } }
}

/** Beside where it is to lie, and moved there when it is whole: several test files may come here at once. */
async function unpackOnce() {
  const own = `${unpacked}.${process.pid}`
  mkdirSync(own, { recursive: true })
  await unpackTo(own)
  try {
    renameSync(own, unpacked)
  } catch {
    // Somebody was faster.
    rmSync(own, { recursive: true })
  }
}

/**
 * The package unpacks to where temporary files go, and brings libraries along only where it believes to be in a cloud
 * function. Both are asked of the environment, which is left as it was.
 */
async function unpackTo(directory) {
  const before = { ...process.env }
  Object.assign(process.env, { TMPDIR: directory, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
