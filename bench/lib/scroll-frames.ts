import type { Page } from 'playwright-core'

const rowHeightMin = 30
const looksMax = 300

/** Loads pages until the list has this many rows. */
export async function loadRows(page: Page, count: number, beforeEach: () => Promise<void>): Promise<void> {
  for (let height = 0; height < count * rowHeightMin;) {
    await beforeEach()
    // Scrolls away from the end and back in two moves, because the list loads only when its end becomes visible again.
    await page.evaluate('window.scrollBy(0, -3000)')
    await page.waitForTimeout(100)
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    height = await grownFrom(page, height)
  }
}

/** Polls from outside, because the Content-Security-Policy forbids evaluation in the page. */
async function grownFrom(page: Page, before: number): Promise<number> {
  for (let looks = 0; looks < looksMax; looks += 1) {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    if (height > before + 1000) return height
    await page.waitForTimeout(100)
  }
  throw new Error(`the list stops at ${before} pixels`)
}

/**
 * As text, because code in the page has no access to this module. About 400 pixels per frame, like fast scrolling with
 * a wheel.
 */
const scrolling = `new Promise((resolve) => {
  window.scrollTo(0, 0)
  const deltas = []
  let last
  const step = (at) => {
    if (last !== undefined) deltas.push(at - last)
    last = at
    if (deltas.length === 240) return resolve(deltas)
    window.scrollBy(0, 400)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

/** Milliseconds between frames while the list is scrolled, sorted. */
export async function scrollFrames(page: Page): Promise<number[]> {
  return (await page.evaluate<number[]>(scrolling)).sort((a, b) => a - b)
}
