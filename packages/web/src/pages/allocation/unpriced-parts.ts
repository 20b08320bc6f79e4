import type { Cost } from './cost-columns.ts'

const words: Record<Cost['unpriced_parts'][number], string> = {
  compute: 'its nodes',
  assets: 'its volumes, balancers or control planes',
}

/** What of a row has no price, in words. */
export const unpricedParts = ({ unpriced_parts: parts }: Pick<Cost, 'unpriced_parts'>) =>
  parts.length === 0 ? ['what it used'] : parts.map((part) => words[part])
