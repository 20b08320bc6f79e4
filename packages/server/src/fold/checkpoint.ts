import { gunzipSync, gzipSync } from 'node:zlib'
import type { ClusterPlace } from '../prices/node-class.ts'
import { assetChangeSection, assetSection } from './checkpoint/asset-section.ts'
import { clusterObjectSection } from './checkpoint/cluster-object-section.ts'
import { clockSection } from './checkpoint/clock-section.ts'
import { epochSection } from './checkpoint/epoch-section.ts'
import { hourSection } from './checkpoint/hour-section.ts'
import { nodeSection, podSection } from './checkpoint/object-sections.ts'
import { missedSection } from './checkpoint/missed-section.ts'
import { Numbers, type Section } from './checkpoint/section.ts'
import { usageSection } from './checkpoint/usage-section.ts'
import { emptyFoldState, type FoldState } from './fold-state.ts'
import type { ClassifyNode } from './inventory.ts'

/**
 * Each part of the state has a section. They are read in this order, whatever the order in which they were written: epochs
 * and pods refer to objects before them, and assets to pods. A state that lacks a section, because it was written before there was one, is whole
 * without it; so new parts are added where nothing before them needs them.
 */
const sections: readonly Section[] = [
  nodeSection,
  podSection,
  assetSection,
  clusterObjectSection,
  epochSection,
  hourSection,
  clockSection,
  usageSection,
  assetChangeSection,
  missedSection,
]

const headBytes = 6

/**
 * Everything that folding the next batch depends on, in frames that are compressed one by one: a section of a large cluster
 * has many, and no more than one of them is ever whole in memory.
 */
export function saveCheckpoint(state: FoldState): Buffer {
  const numbers = new Numbers()
  const frames: Buffer[] = []
  for (const { name, save } of sections) for (const part of save(state, numbers)) frames.push(...frame(name, part))
  return Buffer.concat(frames)
}

export function loadCheckpoint(bytes: Buffer, classify: ClassifyNode, place?: ClusterPlace): FoldState {
  const state = emptyFoldState(classify, place)
  const numbers = new Numbers()
  const frames = readFrames(bytes)
  for (const { name, load } of sections) {
    for (const part of frames.get(name) ?? []) load(state, JSON.parse(gunzipSync(part).toString()), numbers)
  }
  return state
}

/** The lengths of name and part, the name, the part. */
function frame(name: string, part: unknown): Buffer[] {
  const text = Buffer.from(name)
  const body = gzipSync(JSON.stringify(part), { level: 1 })
  const head = Buffer.alloc(headBytes)
  head.writeUInt16BE(text.length, 0)
  head.writeUInt32BE(body.length, 2)
  return [head, text, body]
}

function readFrames(bytes: Buffer): Map<string, Buffer[]> {
  const frames = new Map<string, Buffer[]>()
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + headBytes + bytes.readUInt16BE(at)
    const bodyEnd = nameEnd + bytes.readUInt32BE(at + 2)
    if (bodyEnd > bytes.length) throw new Error('the checkpoint is cut off')
    const name = bytes.toString('utf8', at + headBytes, nameEnd)
    frames.set(name, [...(frames.get(name) ?? []), bytes.subarray(nameEnd, bodyEnd)])
    at = bodyEnd
  }
  return frames
}
