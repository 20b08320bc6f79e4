import type { BookSource } from './book-format.ts'
import { isRecord, isText, type Report } from './parse-fields.ts'
import { parseNodes } from './parse-nodes.ts'
import { parseTable } from './parse-table.ts'
import type { PriceBook } from '../price-book.ts'
import type { Evidence } from '../price.ts'

/** The evidence index of a price is one byte. */
const evidenceMax = 256

/** All data for lookups. Problems are reported; then the result must not be used. */
export function parseBody(body: unknown, report: Report): Omit<PriceBook, 'version' | 'schemaVersion' | 'asOf'> {
  const { sources, evidence, nodes, tables } = isRecord(body) ? body : {}
  const pairs = parseEvidence(evidence, report)
  const rows = isRecord(tables) ? tables : {}
  return {
    sources: parseSources(sources, report),
    evidence: pairs,
    nodes: parseNodes(nodes, pairs.length, report),
    storage: parseTable('storage', rows, report),
    network: parseTable('network', rows, report),
    controlPlane: parseTable('controlPlane', rows, report),
    serverless: parseTable('serverless', rows, report),
    fallback: parseTable('fallback', rows, report),
    spotRatios: parseTable('spotRatios', rows, report),
    commitments: parseTable('commitments', rows, report),
    components: parseTable('components', rows, report),
    gpuAddons: parseTable('gpuAddons', rows, report),
    gpuRates: parseTable('gpuRates', rows, report),
    eniLimits: parseTable('eniLimits', rows, report),
  }
}

function parseEvidence(evidence: unknown, report: Report): Evidence[] {
  const pairs = Array.isArray(evidence) && evidence.length <= evidenceMax ? (evidence as unknown[]) : []
  if (pairs.length === 0) report(`evidence is not a list of at most ${evidenceMax} pairs`)
  return pairs.map((pair) => {
    const [source, asOf] = Array.isArray(pair) ? (pair as unknown[]) : []
    if (isText(source) && isText(asOf)) return { source, asOf }
    report('evidence has an entry that is not a source and a date')
    return { source: '', asOf: '' }
  })
}

const sourceFields = ['repo', 'path', 'commit', 'asOf', 'licence', 'taken']

function parseSources(sources: unknown, report: Report): Record<string, BookSource> {
  if (!isRecord(sources)) {
    report('sources is missing')
    return {}
  }
  for (const [id, source] of Object.entries(sources)) {
    const isComplete = isRecord(source) && sourceFields.every((field) => isText(source[field]))
    if (!isComplete) report(`source '${id}' has no URL`)
  }
  return sources as Record<string, BookSource>
}
