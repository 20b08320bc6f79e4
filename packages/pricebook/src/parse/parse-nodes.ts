import { nanoPerUsd } from '../money.ts'
import { isAmount, isNames, isRecord, isText, type Report } from './parse-fields.ts'
import type { NodeBlock } from '../price-book.ts'
import { unpackRuns } from './runs.ts'
import { nodeUsdPerHourMax } from './table-columns.ts'

const blocksMax = 200
const cellsMax = 2_000_000
/** A higher ratio is a wrong unit, not a busy market. */
const spotToOnDemandMax = 10

/** The instance types by provider. Problems are reported; then the blocks must not be used. */
export function parseNodes(nodes: unknown, evidenceCount: number, report: Report): Map<string, NodeBlock[]> {
  const blocks = new Map<string, NodeBlock[]>()
  if (!Array.isArray(nodes) || nodes.length > blocksMax) {
    report('nodes is not a list of providers')
    return blocks
  }
  for (const node of nodes as unknown[]) {
    const provider = isRecord(node) && isText(node.provider) ? node.provider : 'an unnamed provider'
    const reportHere: Report = (problem) => report(`nodes of ${provider}: ${problem}`)
    const block = parseBlock(isRecord(node) ? node : {}, evidenceCount, reportHere)
    if (block) blocks.set(provider, [...(blocks.get(provider) ?? []), block])
  }
  return blocks
}

function parseBlock(node: Record<string, unknown>, evidenceCount: number, report: Report): NodeBlock | undefined {
  const { regions, types, unitNanoUsd } = node
  if (!isNames(regions) || !isNames(types)) return void report('regions or types are not distinct names')
  if (unitNanoUsd !== 1 && unitNanoUsd !== 1000) return void report('the currency unit is missing')
  const cells = regions.length * types.length
  if (cells > cellsMax) return void report('there are too many instance types')

  const unpack = <T extends Float64Array | Uint8Array>(field: string, max: number, into: T, unit = 1): T => {
    if (!unpackRuns(node[field], max, into, unit))
      report(`${field} is not ${into.length} whole numbers from 0 to ${max}`)
    return into
  }
  const unitsMax = (nodeUsdPerHourMax * nanoPerUsd) / unitNanoUsd
  const prices = (field: string) => unpack(field, unitsMax, new Float64Array(cells), unitNanoUsd)
  const block: NodeBlock = {
    regions: new Map(regions.map((region, at) => [region.toLowerCase(), at])),
    types: new Map(types.map((type, at) => [type.toLowerCase(), at])),
    typeNames: types,
    nominalOf: parseNominals(node, types, report),
    isWindows: unpack('windows', 1, new Uint8Array(types.length)),
    onDemandNanoUsd: prices('onDemand'),
    spotNanoUsd: prices('spot'),
    evidence: unpack('evidence', evidenceCount - 1, new Uint8Array(cells)),
    spotEvidence: unpack('spotEvidence', evidenceCount - 1, new Uint8Array(cells)),
    interruption: unpack('interruption', 5, new Uint8Array(cells)),
  }
  checkCells(block, report)
  return block
}

/** Reports a price without a source, a spot price without an on-demand price, or a spot price in another unit. */
function checkCells(block: NodeBlock, report: Report) {
  const typeAt = (at: number) => block.typeNames[at % block.typeNames.length]
  for (let at = 0; at < block.evidence.length; at++) {
    const price = block.onDemandNanoUsd[at] ?? 0
    const spot = block.spotNanoUsd[at] ?? 0
    if (price > 0 && block.evidence[at] === 0) report(`${typeAt(at)} has a price without a source`)
    if (spot > 0 && block.spotEvidence[at] === 0) report(`${typeAt(at)} has a spot price without a source`)
    if (spot > spotToOnDemandMax * price) report(`${typeAt(at)} has an implausible spot price`)
  }
}

function parseNominals(node: Record<string, unknown>, types: string[], report: Report): NodeBlock['nominalOf'] {
  const column = (field: string, isFine: (value: unknown) => boolean): unknown[] => {
    const values = node[field]
    const isWhole = Array.isArray(values) && values.length === types.length
    if (isWhole && values.every((value) => value === null || isFine(value))) return values as unknown[]
    report(`${field} does not have a value or null for each type`)
    return []
  }
  const columns = Object.entries({
    arch: column('arch', isText),
    vcpu: column('vcpu', (value) => isAmount(value, 1e4)),
    memoryGib: column('memoryGib', (value) => isAmount(value, 1e5)),
    gpuCount: column('gpuCount', (value) => isAmount(value, 1e3)),
    gpuType: column('gpuType', isText),
  })
  return (type) => {
    const known = columns.filter(([, values]) => (values[type] ?? null) !== null)
    return Object.fromEntries(known.map(([field, values]) => [field, values[type]]))
  }
}
