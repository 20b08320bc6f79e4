import type { Cost } from './cost-columns.ts'

const words: Record<Cost['unpriced_parts'][number], string> = {
  compute: 'the nodes',
  assets: 'the volumes, load balancers or control planes',
}

/** The parts of a row that are not priced. */
export const unpricedParts = ({ unpriced_parts: parts }: Pick<Cost, 'unpriced_parts'>) =>
  parts.length === 0 ? ['the resources'] : parts.map((part) => words[part])
