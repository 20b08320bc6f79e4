import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { writeWorkloadShapes } from '../src/recommendations/queries/workload-shapes.ts'
import {
  builtWeb,
  expectAccessible,
  follow,
  hasBrowser,
  slowly,
  useDashboard,
  useSharedTab,
  whenLoaded,
} from './browser.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { firstObject, liveOf } from './manifests/from-source.ts'
import { workload } from './manifests/corpus/case.ts'
import { patience } from './patience.ts'
import { aCluster, aPerson, password } from './people.ts'
import { useTestApp } from './test-app.ts'

const source = workload(
  'Deployment',
  'web',
  '\ncontainers:\n- {name: app, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}\n',
)

const unseen = ['container_overprovisioned', 'limits_memory_missing'].map((ruleId) =>
  aFinding({ name: 'unseen', ruleId }),
)

const limited = aFinding({
  name: 'limited',
  bankableUsdPerMonth: 3,
  change: {
    action: 'set_limits',
    object: { kind: 'Deployment', namespace: 'shop', name: 'limited', container: 'app' },
    summary: 'Raise the CPU limit.',
    fields: [{ path: 'resources.limits.cpu', from: '250m', to: '500m' }],
  },
})

/** Downloads and edits, and how the dashboard behaves while the service is unavailable. */
describe.skipIf(!hasBrowser)('work with the dashboard', () => {
  const t = useTestApp({ webDirectory: builtWeb })
  const dashboard = useDashboard(t)
  const openAsEditor = useSharedTab(dashboard, () => aPerson(t, 'editor'))
  let clusterId: string
  let id: string

  beforeAll(async () => {
    clusterId = (await aCluster(t)).clusterId
    await analysed(t, clusterId, { findings: [aFinding({ name: 'web' }), ...unseen, limited] })
    const live = liveOf(firstObject(source))
    const shape = {
      namespace: 'shop',
      kind: 'Deployment',
      name: 'web',
      shape: live ? { ...live, namespace: 'shop' } : null,
    }
    await t.db.transaction().execute((tx) => writeWorkloadShapes(tx, clusterId, [shape]))
    id = (await idsOf(t, clusterId)).web ?? ''
  })

  test('a link as the demo prints it signs in with one click', async () => {
    const { email } = await aPerson(t, 'viewer')
    const page = await dashboard.visitor()
    await page.goto(`${dashboard.url}/sign-in#${new URLSearchParams({ email, password }).toString()}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).not.toContain('password')
  })

  test('a visitor without a session sees the sign-in page, without a rejected API call', async () => {
    const page = await dashboard.visitor()
    const calls: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (/^\/(api|auth)\//.test(pathname)) calls.push(`${response.status()} ${pathname}`)
    })
    await page.goto(`${dashboard.url}/recommendations`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toBe('/recommendations')
    await vi.waitFor(() => expect(calls).toEqual(['200 /auth/methods']), patience)
  })

  test('discounts, node prices and custom rates start at an hour, and errors are shown at their fields', async () => {
    const page = await dashboard.signedIn(await aPerson(t))
    await page.goto(`${dashboard.url}/settings/prices?cluster=${clusterId}`)
    await page.getByLabel('Discount on list prices').fill('101')
    await page.getByRole('button', { name: 'Add discount' }).click()
    await page.getByLabel('Discount on list prices').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Discount on list prices').fill('12.5')
    await page.getByLabel('Note').fill('contract')
    await page.getByRole('button', { name: 'Add discount' }).click()
    await page.getByText('12.5 % off list prices of AWS').waitFor()

    await page.getByRole('button', { name: 'Node price' }).click()
    await page.getByLabel('Instance type').fill('m5.xlarge')
    await page.getByLabel('$ per hour').fill('0.161')
    await page.getByLabel('Region').fill('eu-west-1')
    await page.getByLabel('Start (UTC)').fill('2026-01-01T05:00')
    await page.getByRole('button', { name: 'Add node price' }).click()
    await page.getByText('m5.xlarge at $0.1610/h (eu-west-1)').waitFor()

    await page.getByRole('button', { name: 'Custom rates' }).click()
    await page.getByRole('combobox', { name: 'Cluster' }).selectOption(clusterId)
    await page.getByRole('button', { name: 'Add custom rates' }).click()
    await page.getByText('Enter at least one rate.').waitFor()
    await page.getByLabel('$ per vCPU').fill('18')
    await page.getByLabel('$ per GiB-month of storage').fill('0.05')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add custom rates' }).click()
    await page.getByText('custom rates per month: $18/vCPU, $0.05/GiB storage').waitFor()
    const stored = await t.db.selectFrom('price_override').select(['kind', 'effective_from', 'note']).orderBy('kind').execute() // prettier-ignore
    expect(stored).toMatchObject([
      { kind: 'custom_rates' },
      { kind: 'discount', note: 'contract' },
      { kind: 'node_price', effective_from: new Date('2026-01-01T05:00:00Z') },
    ])
    dashboard.allowComplaints(/422/)
  })

  test('after a cluster is removed, a message confirms it and no further call concerns the cluster', async () => {
    const gone = await aCluster(t)
    const page = await dashboard.signedIn(await aPerson(t))
    await page.goto(`${dashboard.url}/clusters/${gone.clusterId}`)
    await page.getByText('YOUR-AGENT-TOKEN').waitFor()
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await page.getByRole('button', { name: 'Delete…' }).click()
    const remove = page.getByRole('button', { name: 'Delete cluster' })
    await remove.and(page.locator(':disabled')).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Type the cluster name').fill(name)
    await remove.click()
    await page.getByText(`${name} removed.`).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor()
    await page.clock.runFor(61_000)
    await page.waitForLoadState('networkidle')
  })

  test('a manifest is copied and downloaded as shown', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'viewer'))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await page.getByRole('button', { name: 'Strategic merge' }).click()
    const file = page
      .locator('pre')
      .filter({ hasText: /cpu: "?500m/ })
      .first()
    const shown = (await file.textContent()) ?? ''
    const section = page.locator('details').filter({ has: file })

    await section.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(shown)

    const downloading = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Download' }).first().click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/\.yaml$/)
    expect(await readFile(await download.path(), 'utf8')).toBe(shown)
  })

  test('text typed right after opening the palette goes into the palette, not to the rows behind it', async () => {
    const page = await openAsEditor('/recommendations?view=all')
    await page.getByLabel('Select shop/web').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('jxa')
    expect(await page.getByRole('combobox', { name: /^Go to/ }).inputValue()).toBe('jxa')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  })

  test('an approval on its page can be undone, and a recommendation can be snoozed', async () => {
    const page = await openAsEditor(`/recommendations/${(await idsOf(t, clusterId)).limited}`)
    const approve = page.getByRole('button', { name: 'Approve' })
    await approve.click()
    await page.getByText('1 recommendation approved.').waitFor()
    // The workload is not analyzed, so it has no manifest to offer.
    expect(await page.getByRole('button', { name: 'Open manifest' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await approve.waitFor()
    await page.getByRole('button', { name: 'Snooze…' }).click()
    await page.getByLabel('1 month').check()
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByText('Snoozed until').waitFor()
  })

  test('a rejection requires a reason, and none is preselected', async () => {
    const page = await openAsEditor(`/recommendations/${id}`)
    await page.getByRole('button', { name: 'Reject…' }).click()
    const reject = page.getByRole('button', { name: 'Reject', exact: true })
    expect(await reject.isDisabled()).toBe(true)
    await page.getByLabel('Needed for a known peak').check()
    expect(await reject.isEnabled()).toBe(true)
    await page.keyboard.press('Escape')
  })

  test('a changed limit is in the headline, and the savings of the change alone are computed on request', async () => {
    const page = await openAsEditor(`/recommendations/${(await idsOf(t, clusterId)).limited}`)
    await page.locator('dt', { hasText: 'CPU limit' }).waitFor()
    expect(await page.locator('dl').first().innerText()).toMatch(/CPU limit\s+250m\s+500m/)
    await page.getByRole('button', { name: 'Calculate savings if applied alone' }).click()
    await page.getByText('Bankable savings of this change alone').waitFor()
  })

  test('a change without a manifest offers no format, and other open recommendations of the workload are listed', async () => {
    const page = await openAsEditor(`/recommendations/${id}`)
    const formats = page.getByRole('group', { name: 'Format' })
    await formats.waitFor()
    await follow(page, `${dashboard.url}/recommendations/${(await idsOf(t, clusterId)).unseen}`)
    await page.getByText('This change has no manifest').waitFor()
    await page.getByRole('heading', { name: 'Also open for this workload' }).waitFor()
    expect(await formats.count()).toBe(0)
  })

  test('a Helm path is saved once, and a concurrent change is reported', async () => {
    const open = async () => {
      const page = await dashboard.signedIn(await aPerson(t, 'editor'))
      await page.goto(`${dashboard.url}/recommendations/${id}`)
      await page.getByRole('button', { name: 'Helm', exact: true }).click()
      await page.getByLabel(/^Path of the resources of/).waitFor()
      return page
    }
    const [mine, theirs] = [await open(), await open()]
    for (const [page, path] of [
      [theirs, 'theirs.resources'],
      [mine, 'mine.resources'],
    ] as const) {
      await page.getByLabel(/^Path of the resources of/).fill(path)
      await page.getByRole('button', { name: 'Save for this workload' }).click()
      await page
        .locator('pre')
        .filter({ hasText: /^theirs:/m })
        .waitFor()
    }
    await mine.getByText('Another user changed these values').waitFor()
    expect(await mine.getByLabel(/^Path of the resources of/).inputValue()).toBe('theirs.resources')
    dashboard.allowComplaints(/412/)
    for (const page of [mine, theirs]) await page.context().close()
  })

  test('a Helm path that is saved twice in a row stays saved', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'editor'))
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await page.getByRole('button', { name: 'Helm', exact: true }).click()
    const field = page.getByLabel(/^Path of the resources of/)
    await field.waitFor()
    await slowly(page, '**/api/v1/gitops/helm-paths')
    const save = page.getByRole('button', { name: 'Save for this workload' })
    await field.fill('first.resources')
    await save.click()
    await field.fill('second.resources')
    await save.click()
    await page
      .locator('pre')
      .filter({ hasText: /^second:/m })
      .waitFor()
    expect(await page.getByText('Another user changed these values').count()).toBe(0)
  })

  test('the page reports a restarting service and continues when the service is back', async () => {
    const page = await dashboard.signedIn(await aPerson(t, 'editor'))
    await page.goto(`${dashboard.url}/recommendations/${id}`)
    await whenLoaded(page)
    const comeBack = await goAway()
    await page.clock.runFor(65_000)
    await page.getByText('service unavailable').waitFor()
    // Loaded data stays, and failed actions show a message.
    await page.getByText('Ask for half.').first().waitFor()
    await approve(page)
    await page.getByText('The service does not respond').first().waitFor()
    expect(await statusOf()).toBe('pending')

    await comeBack()
    await page.clock.runFor(65_000)
    await page.getByText('service unavailable').waitFor({ state: 'detached' })
    await approve(page)
    await expect.poll(statusOf).toBe('approved')
    dashboard.allowComplaints(/ERR_CONNECTION_REFUSED/)
  })

  const approve = (page: Page) => page.getByRole('button', { name: 'Approve' }).first().click()

  async function statusOf(): Promise<string | undefined> {
    const row = await t.db
      .selectFrom('recommendation')
      .select('status')
      .where('recommendation_id', '=', id)
      .executeTakeFirst()
    return row?.status
  }

  /** The same address and database as a new process; nothing in memory. */
  async function goAway(): Promise<() => Promise<void>> {
    const { port } = new URL(dashboard.url)
    await t.app.close()
    return async () => {
      t.app = await buildApp(t.deps, { webDirectory: builtWeb })
      await t.app.listen({ port: Number(port), host: '127.0.0.1' })
    }
  }
})
