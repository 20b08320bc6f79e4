import { describe, expect, test } from 'vitest'
import { expectAccessible, hasBrowser, whenLoaded } from './browser.ts'
import { useFilledDashboard } from './filled-dashboard.ts'
import { aPerson } from './people.ts'

describe.skipIf(!hasBrowser)('explorer and changes', () => {
  const { t, dashboard } = useFilledDashboard()

  test('the explorer groups in two levels, sorts, reads its chart by keyboard and opens the page of a workload', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/allocation?by=namespace&then=workload&window=24h`)
    await page.getByRole('button', { name: 'Rows of shop' }).click()
    await page.getByRole('link', { name: 'shop/web' }).waitFor()
    await page.getByRole('button', { name: 'Total $' }).click()
    await page.getByRole('columnheader', { name: 'Total $', exact: false }).waitFor()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-total')
    const chart = page.getByRole('slider', { name: /Cost by namespace/ })
    await chart.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toContain('Total')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'shop/web' }).click()
    await page.getByRole('heading', { level: 1, name: 'shop/web' }).waitFor()
    await page.getByText('Cost over time').waitFor()
    await expectAccessible(page)
  })

  test('Changes shows the bridge and the workloads of a cause', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.goto(`${dashboard.url}/changes?window=24h`)
    await page.getByRole('img', { name: /Cost change by cause: Before .* Now/ }).waitFor()
    await page.getByRole('button', { name: 'New workloads' }).click()
    await page.getByRole('link', { name: 'shop/web' }).waitFor()
    await whenLoaded(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'namespace' }).click()
    await page.getByRole('columnheader', { name: 'Change %' }).waitFor()
  })
})
