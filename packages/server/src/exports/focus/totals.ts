import { formatDecimal, SECONDS_PER_HOUR, type Decimal } from '@plimsoll/engine'
import { focusMeters, type FocusMeter, type FocusRow, type FocusShare } from '@plimsoll/engine/focus'
import type { FocusTotals } from './focus-request.ts'

/** Adds up what a file contains, exactly. */
export class TotalsCounter {
  #rows = 0
  #billed: Decimal = 0n
  #contracted: Decimal = 0n
  #effective: Decimal = 0n
  #list: Decimal = 0n
  readonly #unpriced = new Map<string, number>()

  add(rows: readonly FocusRow[]): void {
    this.#rows += rows.length
    for (const row of rows) {
      this.#billed += row.billedCost
      this.#contracted += row.contractedCost
      this.#effective += row.effectiveCost
      this.#list += row.listCost
    }
  }

  addUnpriced(meter: FocusMeter, shares: readonly FocusShare[]): void {
    const { unit, baseUnits } = focusMeters[meter]
    const quantity = shares.reduce((sum, share) => sum + share.quantity, 0n)
    if (quantity === 0n) return
    const hours = Number(quantity) / (baseUnits * SECONDS_PER_HOUR)
    this.#unpriced.set(unit, (this.#unpriced.get(unit) ?? 0) + hours)
  }

  get totals(): FocusTotals {
    return {
      rows: this.#rows,
      billedCost: formatDecimal(this.#billed),
      contractedCost: formatDecimal(this.#contracted),
      effectiveCost: formatDecimal(this.#effective),
      listCost: formatDecimal(this.#list),
      unpriced: Object.fromEntries(this.#unpriced),
    }
  }
}
