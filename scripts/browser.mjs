// A Chromium of this machine, for the tests of the pages and for pictures of them. None is downloaded.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const places = [
  process.env.PLIMSOLL_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Undefined when there is none here. */
export const findBrowser = () => places.find((place) => place !== undefined && existsSync(place))

export async function openBrowser() {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('There is no Chromium here; say where with PLIMSOLL_CHROMIUM.')
  // Containers have a small /dev/shm and no sandbox for root.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] })
}
