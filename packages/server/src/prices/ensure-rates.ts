import type { RateIds } from './queries/rates.ts'
import { insertCloudResourceRate, insertRate, listRates, type RateKey } from './queries/rates.ts'
import type { Deps } from '../platform/deps.ts'
import {
  type CloudResourceClass,
  cloudResourcePrice,
  type CloudResourceTerm,
  cloudResourceTermsInForce,
  classRates,
  parseCloudResourceKey,
  parseClassKey,
  type PriceTerms,
  termsInForce,
  type TermsInForce,
} from '@plimsoll/pipeline/prices'

/** The rates of the requested classes in an hour. */
export type RatesAt = (hour: Date) => RateIds

/**
 * Finds the rate of each class in each hour, and creates missing ones: a rate is created on first use and never
 * changes. Outside of any transaction, because other clusters need the same rates.
 */
export async function ensureRates(
  deps: Pick<Deps, 'db' | 'prices'>,
  terms: PriceTerms,
  wanted: readonly { hour: Date; classKey: string }[],
): Promise<RatesAt> {
  const chosen = wanted.map(({ hour, classKey }) => choose(terms, hour, classKey))
  const rateIds = await findOrMake(deps, new Map(chosen.map((each) => [textOf(each), each])))
  const byHour = new Map<number, Map<string, string>>()
  for (const { hour, ...rate } of chosen) {
    const ofHour = byHour.get(hour.getTime()) ?? new Map<string, string>()
    byHour.set(hour.getTime(), ofHour.set(rate.classKey, rateIds.get(textOf(rate)) ?? ''))
  }
  return (hour) => byHour.get(hour.getTime()) ?? new Map<string, string>()
}

type Chosen = RateKey & { hour: Date } & (
    | { cloudResource: undefined; inForce: TermsInForce }
    | { cloudResource: CloudResourceClass; inForce: TermsInForce<CloudResourceTerm> }
  )

function choose(terms: PriceTerms, hour: Date, classKey: string): Chosen {
  const cloudResource = parseCloudResourceKey(classKey)
  if (cloudResource) {
    const inForce = cloudResourceTermsInForce(terms, hour, cloudResource)
    return { hour, classKey, priceKey: inForce.key, cloudResource, inForce }
  }
  const inForce = termsInForce(terms, hour, parseClassKey(classKey).query)
  return { hour, classKey, priceKey: inForce.key, cloudResource, inForce }
}

async function make(
  { db, prices }: Pick<Deps, 'db' | 'prices'>,
  { cloudResource, inForce, ...rate }: Chosen,
): Promise<void> {
  const book = await prices.load(db, inForce.book.version)
  if (cloudResource)
    await insertCloudResourceRate(
      db,
      rate,
      inForce.validFrom,
      cloudResourcePrice(book, cloudResource, inForce.override),
    )
  else await insertRate(db, rate, inForce.validFrom, classRates(book, parseClassKey(rate.classKey), inForce.override))
}

async function findOrMake(
  deps: Pick<Deps, 'db' | 'prices'>,
  chosen: ReadonlyMap<string, Chosen>,
): Promise<Map<string, string>> {
  const classKeys = [...new Set([...chosen.values()].map(({ classKey }) => classKey))]
  const known = await findRateIds(deps, classKeys)
  const missing = [...chosen].filter(([text]) => !known.has(text))
  for (const [, chosenRate] of missing) await make(deps, chosenRate)
  return missing.length === 0 ? known : findRateIds(deps, classKeys)
}

async function findRateIds({ db }: Pick<Deps, 'db'>, classKeys: readonly string[]): Promise<Map<string, string>> {
  const rates = await listRates(db, classKeys)
  return new Map(rates.map((rate) => [textOf(rate), rate.rateId]))
}

const textOf = ({ classKey, priceKey }: RateKey) => `${priceKey} ${classKey}`
