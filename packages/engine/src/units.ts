import type { Parsed } from './parsed.ts'
import { divideUp, parseQuantityNano, type QuantityReason } from './quantity.ts'

export const RESOURCES = ['cpu', 'memory', 'gpu'] as const
export type Resource = (typeof RESOURCES)[number]

/** Agents measure CPU and memory usage. A GPU is charged by request, and its usage is not measured. */
export const isMeasured = (resource: Resource): boolean => resource !== 'gpu'

/**
 * Integers of base units: microcores of CPU, KiB of memory, parts of a GPU.
 *
 * Microcores, because an idle container uses less than a millicore and thousands of them add up. KiB, because the
 * kernel counts memory in pages and nodes report Ki, while bytes would exceed safe integers within one hour of a large
 * node.
 */
export type Amounts = Readonly<Record<Resource, number>>

export const MICROCORES_PER_CORE = 1_000_000
export const MICROCORES_PER_MILLICORE = 1_000
export const BYTES_PER_KIB = 1024
export const KIB_PER_GIB = 1024 * 1024

/**
 * One GPU or one load balancer, divided so that sevenths and quarters (MIG), and equal shares among up to ten, twelve
 * or a thousand, are integers: seven sevenths must be exactly one GPU.
 */
export const PARTS_PER_WHOLE = 5_040_000

export const NO_AMOUNTS: Amounts = { cpu: 0, memory: 0, gpu: 0 }

export type ParsedUnits = Parsed<number, QuantityReason>

/** CPU requests and limits; `100u` is rounded up to one millicore, as the scheduler does. */
export function parseMillicores(text: string): ParsedUnits {
  return parseUnits(text, 1_000_000n)
}

export function parseBytes(text: string): ParsedUnits {
  return parseUnits(text, 1_000_000_000n)
}

/** Rounded up: less than a KiB is charged as one KiB and never as 0. */
export function kibOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_KIB)
}

export function formatMillicores(millicores: number): string {
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`
}

/** The largest binary unit without a fraction, so that it parses to the same number. */
export function formatBytes(bytes: number): string {
  if (bytes === 0) return '0'
  let value = bytes
  let unit = 0
  while (value % 1024 === 0 && unit < BINARY_UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value}${BINARY_UNITS[unit] ?? ''}`
}

/** For users, in at most three digits: 512 MiB, 3.32 GiB. Manifests use `formatBytes`. */
export function describeBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < BINARY_UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${Number(value.toPrecision(3))} ${BINARY_UNITS[unit] ?? ''}B`
}

/** For users: 620m, 2.5 cores. Manifests use `formatMillicores`. */
export function describeMillicores(millicores: number): string {
  const whole = Math.round(millicores)
  if (whole < 1000) return `${whole}m`
  const cores = Number((whole / 1000).toFixed(2))
  return cores === 1 ? '1 core' : `${cores} cores`
}

const BINARY_UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

function parseUnits(text: string, nanoPerUnit: bigint): ParsedUnits {
  const nano = parseQuantityNano(text)
  if (nano.kind === 'invalid') return nano

  const units = divideUp(nano.value, nanoPerUnit)
  const isSafe = units <= BigInt(Number.MAX_SAFE_INTEGER)
  return isSafe ? { kind: 'ok', value: Number(units) } : { kind: 'invalid', reason: 'too-large', text }
}
