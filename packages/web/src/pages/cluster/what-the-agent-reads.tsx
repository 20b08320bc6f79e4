import { Icon, type IconName } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'

const facts: [IconName, string][] = [
  ['check', 'Nodes, pods, workloads, autoscalers, budgets, volumes, quotas: list and watch only'],
  ['check', 'CPU and memory use per container'],
  ['check', 'One ConfigMap: kube-system/cluster-autoscaler-status'],
  ['cross', 'Never Secrets, other ConfigMaps, environment values or arguments'],
  ['cross', 'It writes nothing to your cluster'],
]

export function WhatTheAgentReads() {
  return (
    <div className="grid content-start gap-6">
      <Section title="What the agent reads">
        <ul className="grid gap-2">
          {facts.map(([icon, text]) => (
            <li key={text} className="flex gap-2.5">
              <span className="pt-0.5 text-ink-2">
                <Icon name={icon} />
              </span>
              {text}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="How firm the numbers are">
        <p className="text-ink-2">
          Costs are firm after the first full hour; until then they are node prices × 730 h. Advice on requests needs
          days of use, and says so where it is withheld.
        </p>
      </Section>
    </div>
  )
}
