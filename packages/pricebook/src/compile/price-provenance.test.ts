import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listCsv, tablesDir } from '../../test/a-book.ts'

type Source = { repo: string; path: string; commit: string; as_of: string }

const sources = JSON.parse(readFileSync(`${tablesDir}/sources.json`, 'utf8')) as Record<string, Source>
const day = /\b\d{4}-\d\d-\d\d\b/

/** A file of a public repository at a commit, or a public page. Both have the date of their facts. */
function isPublicAndDated({ repo, path, commit, as_of: asOf }: Source): boolean {
  const isFile = /^[\w.-]+\/[\w.-]+$/.test(repo) && path !== '-' && /^[0-9a-f]{7,40}\b/.test(commit)
  const isPage = /^[\w-]+(\.[\w-]+)+\//.test(repo)
  return (isFile || isPage) && day.test(asOf)
}

const priceColumns: Record<string, string[]> = {
  'nodes_aws.csv': ['on_demand_usd_hour'],
  'nodes_aws_local_zones.csv': ['on_demand_usd_hour'],
  'nodes_azure.csv': ['on_demand_usd_hour'],
  'nodes_gcp.csv': ['on_demand_usd_hour'],
  'nodes_other.csv': ['on_demand_usd_hour'],
  'gpu_addons.csv': ['on_demand_usd_hour'],
  'components.csv': ['usd_vcpu_hour'],
  'serverless.csv': ['usd_vcpu_hour'],
  'storage.csv': ['usd_gib_month', 'usd_tier_month'],
  'control_plane.csv': ['usd_hour'],
  'network.csv': ['lb_usd_hour'],
}

/** Every grade except `list` is an estimate; tables without grades have list prices. */
const isListed = ({ quality, lb_quality: balancerQuality }: Record<string, string>) =>
  (quality ?? balancerQuality ?? 'list') === 'list'

/** A self-managed control plane has no vendor, so its fee of 0 has no source. */
const isOwnControlPlane = ({ service }: Record<string, string>) => service === 'self-managed'

test.each(Object.entries(priceColumns))(
  'every price in %s has public, dated sources or is an estimate',
  (file, columns) => {
    const rows = listCsv(file).filter((row) => columns.some((column) => (row[column] ?? '') !== ''))
    expect(rows.length).toBeGreaterThan(0)
    const wrong = rows.filter((row) => {
      if (!isListed(row) || isOwnControlPlane(row)) return false
      const named = (row.source ?? '').split(';').map((id) => sources[id])
      return !day.test(row.as_of ?? '') || !named.every((source) => source !== undefined && isPublicAndDated(source))
    })
    expect(wrong).toEqual([])
  },
)

test('an estimate names the public prices that it is based on', () => {
  const wrong = ['storage.csv', 'control_plane.csv', 'network.csv']
    .flatMap((file) => listCsv(file).map((row) => ({ file, ...row })))
    .filter((row) => priceColumns[row.file]?.some((column) => (row[column as keyof typeof row] ?? '') !== ''))
    .filter((row) => !isListed(row) && (row as Record<string, string>).source === '-')
  expect(wrong).toEqual([])
})

test('every source has a name and is listed in SOURCES.md', () => {
  const text = readFileSync(`${tablesDir}/SOURCES.md`, 'utf8')
  for (const [id, source] of Object.entries(sources)) {
    expect(source.repo === '(derived)' || isPublicAndDated(source), id).toBe(true)
    expect(text, id).toContain(`\`${id}\``)
  }
})
