import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One recorded container or machine; CPU in cores, memory in bytes, NaN without a sample. */
export type Series = {
  readonly id: string
  readonly dt: number
  readonly length: number
  readonly cpu: Float32Array | undefined
  readonly memory: Float32Array | undefined
}

export type Trace = { readonly name: string; readonly series: readonly Series[] }

type Index = {
  readonly dataset: string
  readonly dt: number
  readonly unit_cpu?: string
  readonly unit_mem?: string
  readonly series: readonly { id: string; n: number; cpu_off?: number; mem_off?: number }[]
}

/**
 * Percentages do not work with floors and first buckets, so they are scaled to a machine of plausible size: cores and
 * bytes for one unit of the recording. Other fleets use their stated unit.
 */
const SIZES: Readonly<Record<string, { cpu?: number; memory?: number }>> = {
  'google2011-jobs': { cpu: 0.16, memory: 640e6 },
  'azure2017-100': { cpu: 0.04 },
  'azure2017-per78': { cpu: 0.04 },
  'azure2017-100-max': { cpu: 0.04 },
  'azure2017-per78-max': { cpu: 0.04 },
  'planetlab-vm': { cpu: 0.02 },
  'alibaba2026-genai-mem': { memory: 64e9 },
  'alibaba2018-machines': { cpu: 0.96, memory: 3.84e9 },
  'nab-aws-cpu': { cpu: 0.04 },
}

/** A second recording of the same machine, with the maximum per step: not a separate fleet. */
const isSecondRecording = (name: string) => name.endsWith('-max')

export function listTraces(directory: string): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json') && existsSync(join(directory, file.replace(/json$/, 'f32'))))
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => !isSecondRecording(name))
    .sort()
}

/** All values multiplied by `scale`: the same fleet with smaller containers. */
export function readTrace(directory: string, name: string, scale: number): Trace {
  const index = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as Index
  const bytes = readFileSync(join(directory, `${name}.f32`))
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const size = SIZES[index.dataset] ?? {}
  const cpuFactor = (size.cpu ?? sizeOfUnit(index.unit_cpu, 4)) * scale
  const memoryFactor = (size.memory ?? sizeOfUnit(index.unit_mem, 16 * 2 ** 30)) * scale
  const cut = (from: number | undefined, length: number, factor: number) =>
    from === undefined ? undefined : values.slice(from, from + length).map((value) => value * factor)
  const series = index.series.map(({ id, n, cpu_off, mem_off }) => ({
    id,
    dt: index.dt,
    length: n,
    cpu: cut(cpu_off, n, cpuFactor),
    memory: cut(mem_off, n, memoryFactor),
  }))
  return { name, series }
}

function sizeOfUnit(unit: string | undefined, whole: number): number {
  if (unit?.includes('percent')) return whole / 100
  return unit?.includes('fraction') ? whole : 1
}
