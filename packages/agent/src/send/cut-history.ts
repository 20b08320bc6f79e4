import { countLiving, sliceLiving, type HistoryHour } from '../shape/epoch-writer.ts'
import type { HistoryPart } from './history-part.ts'

/**
 * Splits a part into two; undefined if it is a single row. Objects come first, because hours refer to them. `begun`:
 * all hours before it are sent before either half.
 */
export function cutPart(
  { objects, hours, through }: HistoryPart,
  begun: number,
): [HistoryPart, HistoryPart] | undefined {
  const [hour] = hours
  const rows = hour ? [...hour.nodeHours(), ...hour.usageHours()] : []
  const first = (part: Omit<HistoryPart, 'through'>) => ({ ...part, through: begun })
  if (hours.length > 1) {
    const [earlier, later] = halves(hours)
    return [first({ objects, hours: earlier }), { objects: nothing, hours: later, through }]
  }
  if (hour && rows.length > 1) {
    const [some, others] = cutHour(hour)
    return [first({ objects, hours: [some] }), { objects: nothing, hours: [others], through }]
  }
  if (rows.length > 0 && countOf(objects) > 0)
    return [first({ objects, hours: [] }), { objects: nothing, hours, through }]
  if (countOf(objects) > 1) {
    const [some, others] = cutObjects(objects)
    return [first({ objects: some, hours: [] }), { objects: others, hours: [], through }]
  }
  return undefined
}

/** A node-hour is one row, and so is a container of a workload. Rows are never split. */
function cutHour(hour: HistoryHour): [HistoryHour, HistoryHour] {
  const [nodes, usage] = [hour.nodeHours(), hour.usageHours()]
  const middle = Math.floor((nodes.length + usage.length) / 2)
  const behind = Math.max(0, middle - nodes.length)
  return [
    { nodeHours: () => nodes.slice(0, middle), usageHours: () => usage.slice(0, behind) },
    { nodeHours: () => nodes.slice(middle), usageHours: () => usage.slice(behind) },
  ]
}

type Objects = HistoryPart['objects']

const countOf = (objects: Objects) => countLiving(objects) + objects.ends.length

/** Ends come last, because they refer to the other objects. */
function cutObjects(objects: Objects): [Objects, Objects] {
  const living = countLiving(objects)
  const middle = Math.floor(countOf(objects) / 2)
  const behind = Math.max(0, middle - living)
  return [
    { ...sliceLiving(objects, 0, middle), ends: objects.ends.slice(0, behind) },
    { ...sliceLiving(objects, middle, living), ends: objects.ends.slice(behind) },
  ]
}

function halves<Value>(values: readonly Value[]): [Value[], Value[]] {
  const middle = Math.floor(values.length / 2)
  return [values.slice(0, middle), values.slice(middle)]
}

export const nothing: Objects = {
  namespaces: [],
  nodes: [],
  pods: [],
  volumes: [],
  balancers: [],
  objects: [],
  ends: [],
}
