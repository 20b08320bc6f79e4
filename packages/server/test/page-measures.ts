import type { Page } from 'playwright-core'

// Scripts for the page are text: they cannot use variables of this module.

/** Selected elements whose content is wider than they are, or that clip a line of text. */
export const cutOff = (page: Page, selector: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${selector}')]
    .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1 && each.tagName === 'SPAN')
    .map((each) => each.textContent.slice(0, 80))`)

/** Elements that overflow to the right when the page scrolls sideways. */
export const widerThanPage = (page: Page) =>
  page.evaluate<string[]>(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth && each.closest('.table-scroll') === null)
      .map((each) => each.outerHTML.slice(0, 100))`)

export async function useFont(page: Page, family: string): Promise<void> {
  await page.evaluate(`document.body.style.fontFamily = ${JSON.stringify(JSON.stringify(family))}`)
}

/** Font families that Chromium uses for the element. */
export async function drawnFonts(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts.map(({ familyName }) => familyName)
}

/**
 * Controls whose target is smaller than 24 × 24 px: their box is smaller, and a click 11.5 px from its center hits
 * neither the control nor its label. WCAG 2.5.8 exempts links within a sentence.
 */
export const smallTargets = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const offsets = [-11.5, 11.5]
    const controls = 'a[href], button, select, summary, textarea, input:not([type=hidden]), [role=button], [role=tab], [role=option]'
    const isWithinText = (control) => getComputedStyle(control).display === 'inline' &&
      [...control.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\\p{L}/u.test(node.data))
    const isHit = (control, x, y) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (control.contains(hit) || hit.closest('label')?.control === control)
    }
    const describe = (control, { width, height }) =>
      control.outerHTML.slice(0, 120) + ' ' + width.toFixed(1) + ' × ' + height.toFixed(1) + ' px'
    const small = []
    for (const control of document.querySelectorAll(controls)) {
      if (!control.checkVisibility({ visibilityProperty: true }) || isWithinText(control)) continue
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const box = control.getBoundingClientRect()
      if (box.width >= 24 && box.height >= 24) continue
      const x = box.left + box.width / 2
      const y = box.top + box.height / 2
      // Hidden until it has the focus, as the link that skips the navigation.
      if (x < 0 || y < 0) continue
      if (!offsets.every((right) => offsets.every((down) => isHit(control, x + right, y + down)))) small.push(describe(control, box))
    }
    scrollTo(0, 0)
    return small
  })()`)
