import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Allocation } from '@plimsoll/contract'
import { decimal, roundToNumber } from '@plimsoll/engine'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aFoldedCluster, get, wholeWorld } from './folded-cluster.ts'
import { aPerson, type Person } from './people.ts'
import { readCsv } from './read-csv.ts'
import { send, useTestApp } from './test-app.ts'

const run = promisify(execFile)
const tools = process.env.PLIMSOLL_FOCUS_VALIDATOR
if (tools === undefined)
  process.stderr.write(
    'SKIPPED: no focus-validator; run scripts/install-focus-validator and set PLIMSOLL_FOCUS_VALIDATOR\n',
  )

/** All that the validator knows but commitments, reservations and virtual currency, which Plimsoll does not have. */
const criteria = [
  ...['ACCOUNT_NAMING_SUPPORTED', 'AVAILABILITY_ZONE_SUPPORTED', 'MULTIPLE_PRICING_CATEGORIES_SUPPORTED'],
  ...['MULTIPLE_SUB_ACCOUNT_TYPES_SUPPORTED', 'MULTIPLE_BILLING_ACCOUNT_TYPES_SUPPORTED'],
  ...['NEGOTIATED_PRICING_SUPPORTED', 'PUBLIC_PRICE_LIST_SUPPORTED', 'USAGE_MEASUREMENT_SUPPORTED'],
  ...['UNIT_PRICING_SUPPORTED', 'SUB_ACCOUNT_SUPPORTED', 'BILLING_BASED_ON_PROVISIONED_RESOURCES_SUPPORTED'],
  ...['RESOURCE_TYPE_ASSIGNMENT_SUPPORTED', 'PRICING_BILLING_CURRENCY_DIFFERENCES_SUPPORTED', 'REGION_SUPPORTED'],
  'TAGGING_SUPPORTED',
]

/** A branch of an OR whose other branch holds: without an invoice, InvoiceId is null. */
const exceptions = new Set(['InvoiceId-C-005-C'])

describe.skipIf(tools === undefined)('FOCUS files', { timeout: 600_000 }, () => {
  const t = useTestApp()
  let admin: Person

  beforeAll(async () => {
    await aFoldedCluster(t)
    await aFoldedCluster(t, twoNodesWithCloudResources)
    t.clock.now = new Date(endSecond * 1000)
    admin = await aPerson(t, 'admin')
  })

  async function aFile(query: string, name: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'plimsoll-focus-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const response = await send(t, { url: `/api/v1/focus?${wholeWorld}&${query}`, headers: admin.bearer })
    expect(response.statusCode).toBe(200)
    await writeFile(join(directory, name), response.rawPayload)
    return join(directory, name)
  }

  test.each([
    { query: 'step=hour&tags=team', name: 'focus.csv' },
    { query: 'level=pod&step=hour', name: 'focus.csv' },
    { query: 'level=namespace&format=parquet', name: 'focus.parquet' },
    { query: 'billed=effective&format=parquet', name: 'focus.parquet' },
  ])('focus-validator accepts $query', async ({ query, name }) => {
    const file = await aFile(query, name)
    const report = `${file}.xml`
    const args = ['--data-file', file, '--validate-version', '1.2', '--focus-dataset', 'CostAndUsage']
    const output = ['--output-type', 'unittest', '--output-destination', report, '--block-download']
    const site = join(tools ?? '', 'lib/python3.12/site-packages')
    const options = [...args, ...output, '--applicability-criteria', criteria.join(',')]
    // It reads its rules from the working directory, and exits with an error when a rule fails.
    await run(join(tools ?? '', 'bin/focus-validator'), options, { cwd: site, maxBuffer: 2 ** 28 }).catch(
      () => undefined,
    )
    const cases = casesOf(await readFile(report, 'utf8'))
    expect(cases.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(250)
    expect(cases.filter(({ outcome, name: rule }) => outcome === 'failed' && !exceptions.has(rule))).toEqual([])
  })

  test.each(['workload', 'pod'])(
    'DuckDB reads the amounts of %s rows, and they add up to the allocation',
    async (level) => {
      const query = `level=${level}&step=hour`
      const file = await aFile(`${query}&format=parquet`, 'focus.parquet')
      const csv = readCsv((await send(t, { url: `/api/v1/focus?${wholeWorld}&${query}`, headers: admin.bearer })).body)
      const script = `import duckdb, sys
print(duckdb.sql(f"select sum(EffectiveCost)::varchar, count(*), min(ChargePeriodStart)::varchar, count(distinct x_Pod) from '{sys.argv[1]}'").fetchall())`
      const { stdout } = await run(join(tools ?? '', 'bin/python'), ['-c', script, file])
      const [, sum = '', rows] = /'([\d.]+)', (\d+), '([^']+)'/.exec(stdout) ?? []
      const { total } = await get<Allocation>(t, admin, `/api/v1/allocation?${wholeWorld}`)
      expect(roundToNumber(decimal(sum))).toBe(total)
      expect(decimal(sum)).toBe(csv.reduce((all, row) => all + decimal(row.EffectiveCost ?? ''), 0n))
      expect(Number(rows)).toBe(csv.length)
    },
  )
})

/** The report is in the format of JUnit. */
const casesOf = (xml: string) =>
  [...xml.matchAll(/<testcase [^>]*name="([^"]+)"[^>]*?(\/>|>([^]*?)<\/testcase>)/g)].map(
    ([, name = '', , content = '']) => ({
      name: name.split(/[ :]/)[0] ?? '',
      outcome: content.includes('<failure') ? 'failed' : content.includes('<skipped') ? 'skipped' : 'passed',
    }),
  )
