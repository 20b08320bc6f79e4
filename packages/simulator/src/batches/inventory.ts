import type { Living } from '@plimsoll/agent'
import type { Batch, BatchReader } from '@plimsoll/contract'

/** The living objects according to the batches of one epoch. */
export class Inventory {
  #namespaces = new Map<number, Living['namespaces'][number]>()
  #nodes = new Map<number, Living['nodes'][number]>()
  #pods = new Map<number, Living['pods'][number]>()
  #volumes = new Map<number, Living['volumes'][number]>()
  #balancers = new Map<number, Living['balancers'][number]>()
  #objects = new Map<number, Living['objects'][number]>()
  #listed = new Set<number>()

  /** Batches in the order of the log. */
  apply(batch: Batch, reader: BatchReader): void {
    const { snapshot } = batch
    if (snapshot?.part === 1) this.#listed = new Set()
    this.#add(this.#namespaces, reader.namespaces())
    this.#add(this.#nodes, reader.nodes())
    this.#add(this.#pods, reader.pods())
    this.#add(this.#volumes, reader.volumes())
    this.#add(this.#balancers, reader.balancers())
    this.#add(this.#objects, reader.objects())
    for (const { ref } of reader.ends()) for (const known of this.#all()) known.delete(ref)
    // A complete snapshot ends the objects that it does not list.
    if (snapshot && snapshot.part === snapshot.parts) this.#keepListed()
  }

  living(): Living {
    return {
      namespaces: [...this.#namespaces.values()],
      nodes: [...this.#nodes.values()],
      pods: [...this.#pods.values()],
      volumes: [...this.#volumes.values()],
      balancers: [...this.#balancers.values()],
      objects: [...this.#objects.values()],
    }
  }

  #add<Version extends { ref: number; from: number }>(known: Map<number, Version>, versions: readonly Version[]): void {
    for (const version of versions) {
      this.#listed.add(version.ref)
      const before = known.get(version.ref)
      if (before === undefined || before.from <= version.from) known.set(version.ref, version)
    }
  }

  #keepListed(): void {
    for (const known of this.#all()) for (const ref of known.keys()) if (!this.#listed.has(ref)) known.delete(ref)
  }

  #all(): Map<number, unknown>[] {
    return [this.#namespaces, this.#nodes, this.#pods, this.#volumes, this.#balancers, this.#objects]
  }
}
