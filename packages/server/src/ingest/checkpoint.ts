import { gunzipSync, gzipSync } from 'node:zlib'
import { checkpointParts, type ClassifyNode, type FoldState, restoreState } from '@plimsoll/pipeline/fold'
import type { ClusterPlace } from '@plimsoll/pipeline/prices'

const headBytes = 6

/** The state of a cluster as stored bytes: one compressed frame for each part. */
export function saveCheckpoint(state: FoldState): Buffer {
  const frames: Buffer[] = []
  for (const { section, part } of checkpointParts(state)) frames.push(...frame(section, part))
  return Buffer.concat(frames)
}

export function loadCheckpoint(bytes: Buffer, classify: ClassifyNode, place?: ClusterPlace): FoldState {
  const frames = readFrames(bytes)
  return restoreState((section) => unpackAll(frames.get(section) ?? []), classify, place)
}

/** One after the other: only one part is in memory at a time. */
function* unpackAll(parts: readonly Buffer[]): Generator<unknown> {
  for (const part of parts) yield JSON.parse(gunzipSync(part).toString())
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
