import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BookBody, BookSource, NodeBody } from '../parse/book-format.ts'
import { tableColumns, type TableName } from '../parse/table-columns.ts'
import { compileNodes } from './compile-nodes.ts'
import { compileTable } from './compile-table.ts'
import { collectEvidence, type EvidenceList } from './evidence-list.ts'
import { hostFreeGpuRates } from './host-free-gpu-rates.ts'
import { bookText } from './pack-book.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

const files: Record<Exclude<TableName, 'gpuRates'>, string> = {
  storage: 'storage.csv',
  network: 'network.csv',
  controlPlane: 'control_plane.csv',
  serverless: 'serverless.csv',
  fallback: 'fallback.csv',
  spotRatios: 'spot_fallback.csv',
  commitments: 'commitments.csv',
  components: 'components.csv',
  gpuAddons: 'gpu_addons.csv',
  eniLimits: 'eks_eni_limits.csv',
}

/**
 * The text of the book before compression. The same tables give the same text. Throws on any row that cannot be stored
 * exactly.
 */
export function compileBook(tablesDir: string): string {
  const rowsOf = (file: string) => readNamed(tablesDir, file)
  const sources = readSources(tablesDir)
  const evidence = collectEvidence(sources)
  const nodes = compileAllNodes(rowsOf, evidence)
  const rows = { ...mapValues(files, rowsOf), gpuRates: hostFreeGpuRates(rowsOf(files.fallback), nodes) }
  for (const table of Object.values(rows)) for (const row of table) requireKnownSources(row, sources)

  const tables = mapValues(tableColumns, (columns, name) => compileTable(columns, rows[name]))
  const body: BookBody = { sources, evidence: evidence.pairs, nodes, tables }
  return bookText(JSON.stringify(body), newestDate(evidence.pairs))
}

function compileAllNodes(rowsOf: (file: string) => CsvRow[], evidence: EvidenceList): NodeBody[] {
  const aws = rowsOf('nodes_aws.csv')
  const others = rowsOf('nodes_other.csv')
  const otherProviders = [...new Set(others.map((row) => row.provider ?? ''))].sort()
  return [
    compileNodes('aws', aws, evidence, rowsOf('aws_spot_advisor.csv')),
    compileNodes('aws', localZones(rowsOf('nodes_aws_local_zones.csv'), aws), evidence),
    compileNodes('azure', rowsOf('nodes_azure.csv'), evidence),
    compileNodes('gcp', rowsOf('nodes_gcp.csv'), evidence),
    ...otherProviders.map((provider) => {
      const rows = others.filter((row) => row.provider === provider)
      return compileNodes(provider, rows, evidence)
    }),
  ]
}

/** Local zones are separate regions with the instance types of AWS; their table has only prices. */
function localZones(rows: CsvRow[], aws: CsvRow[]): CsvRow[] {
  const specs = new Map(aws.map((row) => [row.instance_type, row]))
  return rows.map((row) => ({
    ...specs.get(row.instance_type),
    ...row,
    region: row.zone_group ?? '',
    spot_usd_hour: '',
    spot_source: '',
  }))
}

function readNamed(dir: string, file: string): CsvRow[] {
  try {
    return readCsv(readFileSync(join(dir, file), 'utf8'))
  } catch (cause) {
    throw new Error(`${file} cannot be read`, { cause })
  }
}

function readSources(dir: string): Record<string, BookSource> {
  const raw = JSON.parse(readFileSync(join(dir, 'sources.json'), 'utf8')) as Record<string, Record<string, string>>
  return mapValues(raw, ({ repo = '', path = '', commit = '', as_of = '', licence = '', taken = '' }) => {
    return { repo, path, commit, asOf: as_of, licence, taken }
  })
}

function requireKnownSources(row: CsvRow, sources: Record<string, BookSource>) {
  for (const id of (row.source ?? '').split(';')) {
    if (id !== '' && id !== '-' && !sources[id]) throw new Error(`source '${id}' is not in sources.json`)
  }
}

function newestDate(evidence: [string, string][]): string {
  return evidence.map(([, asOf]) => asOf).reduce((newest, asOf) => (asOf > newest ? asOf : newest), '')
}

function mapValues<K extends string, V, R>(record: Record<K, V>, map: (value: V, key: K) => R): Record<K, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value as V, key as K)])) as Record<
    K,
    R
  >
}
