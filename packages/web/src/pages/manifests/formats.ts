import type { ManifestFormatName } from '@plimsoll/contract'
import { describeFormat, MANIFEST_FORMATS } from '@plimsoll/engine/vocabulary'

/** In display order. */
export const formats = MANIFEST_FORMATS.map((value) => ({ value, word: describeFormat(value).title }))

/** The format changes the values of a chart; users can enter the path of a container in them. */
export const isOfCharts = (format: ManifestFormatName) => describeFormat(format).editsCharts

/** Shown first: a GitOps tool would revert any other change to a workload of a chart. */
export const firstFormat = (isChart: boolean): ManifestFormatName =>
  MANIFEST_FORMATS.find((format) => isOfCharts(format) === isChart) ?? 'kustomize'
