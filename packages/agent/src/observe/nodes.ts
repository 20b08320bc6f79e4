import type { NodeVersion, ObjectEnd } from '@plimsoll/contract'
import type { CsiNodeFacts } from '../kinds/csi-nodes.ts'
import { kubeletPlace, nodeFacts, type KubeletPlace, type NodeFacts, type NodeObject } from '../kinds/nodes.ts'
import { ObjectVersions, type Refs } from './object-versions.ts'

/** The kubelet address is stored, but never sent. */
export type KnownNode = { readonly uid: string; readonly node: NodeFacts; readonly kubelet: KubeletPlace | undefined }

/** Nodes with the limits of their CSI drivers. */
export class Nodes {
  readonly #versions: ObjectVersions<KnownNode>
  /** The newest node of each name. */
  readonly #byName = new Map<string, KnownNode>()
  readonly #csiNodes = new Map<string, CsiNodeFacts>()
  /** By node name. */
  readonly #attachLimits = new Map<string, CsiNodeFacts['attachLimits']>()
  /** Nodes removed since the last minute; they existed during a part of it. */
  #left: number[] = []

  constructor(refs: Refs) {
    this.#versions = new ObjectVersions<KnownNode>(refs, (a, b) => JSON.stringify(a.node) === JSON.stringify(b.node))
  }

  read(object: NodeObject): KnownNode | undefined {
    const node = nodeFacts(object)
    return node && { uid: node.uid, node, kubelet: kubeletPlace(object) }
  }

  *kubelets(): Iterable<KubeletPlace> {
    for (const { facts } of this.#versions.entries()) if (facts.kubelet) yield facts.kubelet
  }

  uids(): Iterable<string> {
    return this.#versions.uids()
  }

  refOf(name: string): number | undefined {
    const known = this.#byName.get(name)
    return known && this.#versions.get(known.uid)?.ref
  }

  set(known: KnownNode, second: number): void {
    this.#byName.set(known.node.name, known)
    this.#report(known, second)
  }

  end(uid: string, second: number): void {
    const entry = this.#versions.end(uid, second)
    if (!entry) return
    const { name } = entry.facts.node
    if (this.#byName.get(name)?.uid === uid) this.#byName.delete(name)
    if (entry.hasEarlier || entry.news?.isVoid !== true) this.#left.push(entry.ref)
  }

  csiUids(): Iterable<string> {
    return this.#csiNodes.keys()
  }

  setCsi(facts: CsiNodeFacts, second: number): void {
    this.#csiNodes.set(facts.uid, facts)
    this.#attachLimits.set(facts.node, facts.attachLimits)
    this.#reportNamed(facts.node, second)
  }

  endCsi(uid: string, second: number): void {
    const facts = this.#csiNodes.get(uid)
    if (!facts) return
    this.#csiNodes.delete(uid)
    // A new CSINode may already have this name.
    if (this.#attachLimits.get(facts.node) !== facts.attachLimits) return
    this.#attachLimits.delete(facts.node)
    this.#reportNamed(facts.node, second)
  }

  living(second: number): NodeVersion[] {
    return this.#versions.living(second).map(({ ref, from, facts }) => ({ ref, from, ...facts.node }))
  }

  /** Includes the refs of all nodes that existed since the last call. */
  take(): { versions: NodeVersion[]; ends: ObjectEnd[]; refs: number[] } {
    const { versions, ends } = this.#versions.take()
    const refs = [...this.#versions.entries()].map(({ ref }) => ref).concat(this.#left)
    this.#left = []
    return { versions: versions.map(({ entry: { ref }, from, facts }) => ({ ref, from, ...facts.node })), ends, refs }
  }

  #reportNamed(name: string, second: number): void {
    const known = this.#byName.get(name)
    if (known) this.#report(known, second)
  }

  #report(known: KnownNode, second: number): void {
    const attachLimits = this.#attachLimits.get(known.node.name) ?? {}
    const hasLimits = Object.keys(attachLimits).length > 0
    this.#versions.set(hasLimits ? { ...known, node: { ...known.node, attachLimits } } : known, second)
  }
}
