// Chromium for page tests and screenshots. On Linux x64 it is the version from npm ci, so that every machine runs the
// same version. Elsewhere it is the installed browser.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { writeFontConfig } from './browser-fonts.mjs'

/** The package has a browser for this platform only. */
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

/** `fonts`: 'project' for the fonts of the development dependencies, 'machine' for the installed fonts. */
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
  // The package includes libraries that are missing on a machine without a desktop.
  return { executablePath: `${unpacked}/chromium`, env: { LD_LIBRARY_PATH: `${unpacked}/al2023/lib` } }
}

/** Unpacks to a temporary directory and moves it into place, because several test files may run this at once. */
async function unpackOnce() {
  const own = `${unpacked}.${process.pid}`
  mkdirSync(own, { recursive: true })
  await unpackTo(own)
  try {
    renameSync(own, unpacked)
  } catch {
    // Another process was faster.
    rmSync(own, { recursive: true })
  }
}

/**
 * The package unpacks to the temporary directory, and includes its libraries only in a cloud function. It reads both
 * from environment variables, which are restored afterwards.
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
