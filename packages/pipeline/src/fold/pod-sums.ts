import { RESOURCES } from '@plimsoll/engine'
import type { PodRequest, SpanColumns } from '@plimsoll/engine/allocation'
import { NumberRows } from './number-rows.ts'

/** Of each resource in turn. */
export const podUseColumns = ['request', 'usage', 'alloc', 'used', 'known'] as const

const width = RESOURCES.length * podUseColumns.length
/** Of checkpoints of earlier versions: seconds come first, and a row is a whole pod. */
const wholeWidth = 1 + width

/** The reservation of a pod beyond its containers. Kubernetes allows no container of this name. */
const POD_ROW = '(pod)'

/**
 * The quantities of each container; they add up to the quantities of the pod without seconds. An empty list stands for
 * the quantities of the pod: most pods have one container.
 */
export type ContainerSums = Record<string, number[]>

export type FoldedPodSums = {
  uid: string
  /** Seconds, then `podUseColumns` of each resource. */
  sums: number[]
  containers: ContainerSums
}

export type SavedPodSums = {
  uids: string[]
  rows: string
  /** Missing: the rows are whole pods. */
  seconds?: number[]
  /** The names of the rows of each pod; pods share their lists. */
  names?: { lists: (readonly string[])[]; of: number[] }
}

type Sums = Pick<FoldedPodSums, 'sums' | 'containers'>

/** The containers of one pod whose quantities come in two parts. */
export function addContainerSums(one: Sums, other: Sums): ContainerSums {
  const [name = ''] = Object.keys(other.containers)
  const isSingle = [one, other].every(({ containers: { [name]: own, ...more } }) => own?.length === 0 && isEmpty(more))
  if (isSingle) return other.containers
  const sums: ContainerSums = {}
  for (const pod of [one, other])
    for (const [container, own] of Object.entries(knownContainers(pod))) {
      const before = sums[container]
      sums[container] = before ? own.map((value, column) => value + (before[column] ?? 0)) : own
    }
  return sums
}

const isEmpty = (texts: object) => Object.keys(texts).length === 0

/** Without known containers all quantities are of the pod. */
function knownContainers({ sums, containers }: Sums): ContainerSums {
  const whole = sums.slice(1)
  if (isEmpty(containers)) return { [POD_ROW]: whole }
  return Object.fromEntries(Object.entries(containers).map(([name, own]) => [name, own.length === 0 ? whole : own]))
}

type Entry = {
  seconds: number
  /** Its first row; the others follow. */
  row: number
  names: readonly string[]
}

type Containers = PodRequest['containers']

export type PodSpanRows = { uid: string; containers: Containers; firstRow: number; lastRow: number; seconds: number }

/** The quantities of each container of each pod in one hour, in unit-seconds. */
export class PodSums {
  readonly #pods = new Map<string, Entry>()
  /** Replicas share their containers, and so their names: without and with the row of the pod. */
  readonly #names = new WeakMap<Containers, [readonly string[], readonly string[]]>()
  #rows = new NumberRows(width)

  /** Adds the rows of a pod, which lived this many seconds in the allocated window. */
  add({ lanes }: SpanColumns, { uid, containers, firstRow, lastRow, seconds }: PodSpanRows): void {
    const names = this.#namesOf(containers, lastRow - firstRow)
    const entry = this.#entry(uid, names)
    entry.seconds += seconds
    for (let index = firstRow; index < lastRow; index += 1) {
      const position = index - firstRow
      const row = entry.row + (entry.names === names ? position : entry.names.indexOf(names[position] ?? POD_ROW))
      let column = 0
      for (const resource of RESOURCES) {
        const { request, usage, alloc, used, known } = lanes[resource]
        this.#rows.add(row, column, (request[index] ?? 0) * seconds)
        this.#rows.add(row, column + 1, (usage[index] ?? 0) * seconds)
        this.#rows.add(row, column + 2, alloc[index] ?? 0)
        this.#rows.add(row, column + 3, used[index] ?? 0)
        this.#rows.add(row, column + 4, known[index] === 1 ? seconds : 0)
        column += podUseColumns.length
      }
    }
  }

  get rows(): FoldedPodSums[] {
    return [...this.#pods].map(([uid, entry]) => this.#fold(uid, entry))
  }

  #fold(uid: string, { seconds, row, names }: Entry): FoldedPodSums {
    if (names.length === 1) return { uid, sums: [seconds, ...this.#row(row)], containers: { [names[0] ?? '']: [] } }
    const sums = [seconds, ...Array.from({ length: width }, () => 0)]
    const containers: ContainerSums = {}
    names.forEach((name, position) => {
      const own = this.#row(row + position)
      own.forEach((value, column) => (sums[column + 1] = (sums[column + 1] ?? 0) + value))
      containers[name] = own
    })
    return { uid, sums, containers }
  }

  #row(row: number): number[] {
    return Array.from({ length: width }, (_each, column) => this.#rows.get(row, column))
  }

  #namesOf(containers: Containers, rows: number): readonly string[] {
    const found = this.#names.get(containers) ?? namesOf(containers)
    this.#names.set(containers, found)
    return found[rows > containers.length ? 1 : 0]
  }

  #entry(uid: string, names: readonly string[]): Entry {
    const entry = this.#pods.get(uid)
    if (entry === undefined) {
      const made = { seconds: 0, row: this.#rows.push(names.length), names: unique(names) }
      this.#pods.set(uid, made)
      return made
    }
    if (entry.names === names) return entry
    if (isSameList(entry.names, names)) entry.names = names
    else if (names.some((name) => !entry.names.includes(name))) this.#widen(entry, names)
    return entry
  }

  /** A resize added the row of the pod, or the containers of the first hour were not known. */
  #widen(entry: Entry, more: readonly string[]): void {
    const names = unique([...entry.names, ...more])
    const row = this.#rows.push(names.length)
    for (let position = 0; position < entry.names.length; position += 1)
      for (let column = 0; column < width; column += 1)
        this.#rows.add(row + position, column, this.#rows.get(entry.row + position, column))
    Object.assign(entry, { names, row })
  }

  save(): SavedPodSums {
    const entries = [...this.#pods.values()]
    const lists = [...new Set(entries.map(({ names }) => names))]
    const indexOf = new Map(lists.map((names, index) => [names, index]))
    const rows = new NumberRows(width)
    for (const entry of entries) this.#copyTo(rows, entry)
    return {
      uids: [...this.#pods.keys()],
      rows: rows.save(),
      seconds: entries.map(({ seconds }) => seconds),
      names: { lists, of: entries.map(({ names }) => indexOf.get(names) ?? 0) },
    }
  }

  #copyTo(rows: NumberRows, { row, names }: Entry): void {
    const first = rows.push(names.length)
    for (let position = 0; position < names.length; position += 1)
      for (let column = 0; column < width; column += 1)
        rows.add(first + position, column, this.#rows.get(row + position, column))
  }

  load({ uids, rows, seconds, names }: SavedPodSums): void {
    if (seconds === undefined || names === undefined) return this.#loadWhole(uids, rows)
    this.#rows = NumberRows.load(width, rows)
    let row = 0
    uids.forEach((uid, index) => {
      const own = names.lists[names.of[index] ?? 0] ?? []
      this.#pods.set(uid, { seconds: seconds[index] ?? 0, row, names: own })
      row += own.length
    })
  }

  /** Of an earlier version: the containers are not known. */
  #loadWhole(uids: readonly string[], saved: string): void {
    const whole = NumberRows.load(wholeWidth, saved)
    uids.forEach((uid, index) => {
      const entry = this.#entry(uid, wholePod)
      entry.seconds = whole.get(index, 0)
      for (let column = 0; column < width; column += 1) this.#rows.add(entry.row, column, whole.get(index, column + 1))
    })
  }
}

const wholePod = [POD_ROW]

function namesOf(containers: Containers): [readonly string[], readonly string[]] {
  const names = containers.map(({ name }) => name)
  return [names, [...names, POD_ROW]]
}

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, at) => name === b[at])

/** The same list, unless a name comes twice. */
const unique = (names: readonly string[]): readonly string[] => {
  const found = new Set(names)
  return found.size === names.length ? names : [...found]
}
