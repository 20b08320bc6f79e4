import type { RecommendationWithEvidence } from '@plimsoll/contract'
import type { ReactNode } from 'react'
import { dollars } from '../../format/money.ts'
import { cpuQuantity, quantity } from '../../format/quantity.ts'
import { day, momentWithZone } from '../../format/time.ts'
import { stateName, verificationLabels } from '../../format/labels.ts'
import { fieldName, fieldValue } from '../../parts/change-text.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Note, Risk, State } from '../../parts/state-tags.tsx'

export function Headline({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const { current_spec: from, recommended_spec: to, verification, snoozed_until: snoozed } = recommendation
  const { bankable_savings: bankable, estimated_savings: estimated } = recommendation
  return (
    <>
      <dl className="flex flex-wrap gap-x-5 gap-y-3 wide:gap-x-10 border-b border-rule pb-3">
        {otherFields(recommendation).map(({ path, from: present, to: proposed }) => (
          <Spec key={path} name={fieldName(path)} from={textOf(path, present)} to={textOf(path, proposed) ?? 'none'} />
        ))}
        {to.cpu_request !== undefined && (
          <Spec name="CPU request" from={cpuOf(from.cpu_request)} to={cpuQuantity(to.cpu_request)} />
        )}
        {to.memory_request !== undefined && (
          <Spec name="Memory request" from={memoryOf(from.memory_request)} to={quantity(to.memory_request)} />
        )}
        <Item name="Bankable">
          {bankable === null ? (
            <Explained
              title="Bankable savings not computed"
              how={recommendation.bankable_because ?? 'The scheduler simulation has not run for this recommendation.'}
            >
              <span className="font-normal text-ink-3">not computed</span>
            </Explained>
          ) : (
            <>
              <Explained
                title="Bankable savings"
                how="Share of this change in the savings of its plan step. Approving other recommendations does not change the share. Applied alone, the change may not remove any node."
              >
                {dollars(bankable)}
              </Explained>
              <span className="unit">/month</span>
            </>
          )}
        </Item>
        <Item name={estimated < 0 ? 'Estimated cost' : 'Estimated'}>
          <span className="font-normal">{dollars(Math.abs(estimated))}</span>
          <span className="unit">/month</span>
        </Item>
        <Item name="Risk">
          <span className="font-normal">
            <Risk level={recommendation.risk} />
          </span>
          <RiskReasons reasons={recommendation.risk_reasons} />
        </Item>
        <Item name="Confidence">
          <span className="font-normal">{recommendation.confidence}</span>
        </Item>
        <Item name="State">
          <span className="font-normal">{stateName(recommendation.status)}</span>
        </Item>
      </dl>
      {verification !== null && (
        <Note tone={noteTone(verificationLabels[verification].tone)}>
          <State tone={verificationLabels[verification].tone}>{verificationLabels[verification].word}</State>{' '}
          {recommendation.verification_detail?.message}
        </Note>
      )}
      {recommendation.drift && (
        <Note tone="warn" icon="warn">
          <b>A newer analysis recommends other values.</b>{' '}
          {recommendation.drift.kind === 'no_longer_found'
            ? 'The newer analysis no longer recommends this change.'
            : `Estimated savings are now ${dollars(recommendation.drift.estimated_savings)}/month. The approved values do not change.`}
        </Note>
      )}
      {typeof recommendation.unconfirmed_since === 'string' && (
        <Note tone="warn" icon="warn">
          <b>Not confirmed since {day(recommendation.unconfirmed_since)}.</b> Later analyses could not check this
          change, so its values may be outdated. See Withheld for the reason.
        </Note>
      )}
      {snoozed !== null && <Note icon="clock">Snoozed until {momentWithZone(snoozed)}.</Note>}
    </>
  )
}

/** Directly below the level, so that the level is never read without its reasons. */
export function RiskReasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <ul className="max-w-[44ch] text-sm font-normal text-ink-2">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}

/** Changed fields besides the requests, which are always shown. */
const otherFields = ({
  change,
  recommended_spec: { cpu_request: cpu, memory_request: memory },
}: RecommendationWithEvidence) =>
  // A deleted object has no new values.
  (change.action === 'delete' ? [] : change.fields).filter(
    ({ path }) => !(cpu !== undefined && memory !== undefined && path.startsWith('resources.requests.')),
  )

const textOf = (path: string, value: string | number | boolean | null | undefined) =>
  value === null || value === undefined ? undefined : fieldValue(path, value)

const cpuOf = (value: string | undefined) => (value === undefined ? undefined : cpuQuantity(value))

const memoryOf = (value: string | undefined) => (value === undefined ? undefined : quantity(value))

const noteTone = (tone: 'ok' | 'warn' | 'danger' | 'muted') => (tone === 'muted' ? 'warn' : tone)

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd className="fig-2">{children}</dd>
    </div>
  )
}

function Spec({ name, from, to }: { name: string; from: string | undefined; to: string }) {
  if (from === to) {
    return (
      <Item name={name}>
        {to}
        <span className="unit">unchanged</span>
      </Item>
    )
  }
  return (
    <Item name={name}>
      <span className="inline-flex items-center gap-1.5">
        {from ?? 'none'}
        <span className="text-ink-3">
          <Icon name="arrow" />
        </span>
        <span className="text-accent">{to}</span>
      </span>
    </Item>
  )
}
