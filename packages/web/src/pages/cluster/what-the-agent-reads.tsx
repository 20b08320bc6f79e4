import { Icon, type IconName } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'

const facts: [IconName, string][] = [
  ['check', 'Nodes, pods, workloads, autoscalers, PodDisruptionBudgets, volumes, quotas (list and watch only)'],
  ['check', 'CPU and memory usage per container'],
  ['check', 'One ConfigMap: kube-system/cluster-autoscaler-status'],
  ['cross', 'Never sent: Secrets, other ConfigMaps, environment variables, arguments'],
  ['cross', 'The agent never changes your cluster'],
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
      <Section title="When data is complete">
        <p className="text-ink-2">
          Costs are complete after the first full hour. Until then, they are estimated from node prices × 730 hours.
          Right-sizing needs 7 days of usage; until then, recommendations are withheld.
        </p>
      </Section>
    </div>
  )
}
