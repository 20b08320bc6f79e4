import { Type, type Static, type TProperties, type TSchema } from 'typebox'

/**
 * Constraints on placing and moving a pod, in the terms of Kubernetes. Only required constraints: preferences are
 * omitted. All fields are optional; an absent field is not set on the pod.
 */
const Closed = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })
const List = <T extends TSchema>(each: T) => Type.Array(each, { maxItems: 1000 })
const name = Type.String({ maxLength: 512 })
const pairs = Type.Record(name, name)

const effect = Type.Union([Type.Literal('NoSchedule'), Type.Literal('PreferNoSchedule'), Type.Literal('NoExecute')])

export const Taint = Closed({ key: name, value: Type.Optional(name), effect })

const Toleration = Closed({
  key: Type.Optional(name),
  operator: Type.Optional(Type.Union([Type.Literal('Exists'), Type.Literal('Equal')])),
  value: Type.Optional(name),
  effect: Type.Optional(effect),
})

const Requirement = Closed({
  key: name,
  operator: Type.Union([
    Type.Literal('In'),
    Type.Literal('NotIn'),
    Type.Literal('Exists'),
    Type.Literal('DoesNotExist'),
    Type.Literal('Gt'),
    Type.Literal('Lt'),
  ]),
  values: Type.Optional(List(name)),
})

/** An absent selector matches nothing, an empty one everything. */
export const LabelSelector = Closed({ labels: Type.Optional(pairs), expressions: Type.Optional(List(Requirement)) })

const PodTerm = Closed({
  topology_key: name,
  selector: Type.Optional(LabelSelector),
  namespaces: Type.Optional(List(name)),
  namespace_selector: Type.Optional(LabelSelector),
})

const policy = Type.Union([Type.Literal('Honor'), Type.Literal('Ignore')])

/** Only with `DoNotSchedule`; `matchLabelKeys` are resolved into the selector. */
const SpreadConstraint = Closed({
  topology_key: name,
  max_skew: Type.Integer({ minimum: 1 }),
  min_domains: Type.Optional(Type.Integer({ minimum: 1 })),
  selector: Type.Optional(LabelSelector),
  node_affinity_policy: Type.Optional(policy),
  node_taints_policy: Type.Optional(policy),
})

export const PodScheduling = Closed({
  tolerations: Type.Optional(List(Toleration)),
  node_selector: Type.Optional(pairs),
  /** Required terms, combined with OR; `fields` match `metadata.name`. */
  node_affinity: Type.Optional(
    List(Closed({ expressions: Type.Optional(List(Requirement)), fields: Type.Optional(List(Requirement)) })),
  ),
  pod_affinity: Type.Optional(List(PodTerm)),
  pod_anti_affinity: Type.Optional(List(PodTerm)),
  spread: Type.Optional(List(SpreadConstraint)),
  host_ports: Type.Optional(
    List(
      Closed({
        port: Type.Integer({ minimum: 1, maximum: 65_535 }),
        protocol: Type.Optional(name),
        ip: Type.Optional(name),
      }),
    ),
  ),
  priority: Type.Optional(Type.Integer()),
  /** Ephemeral storage in KiB. */
  ephemeral_request: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Accelerators, other extended resources and huge pages (bytes) that the scheduler reserves for the pod, by name. */
  extended_requests: Type.Optional(Type.Record(name, Type.Integer({ minimum: 0 }))),
  /** The annotation `cluster-autoscaler.kubernetes.io/safe-to-evict`, if set. */
  safe_to_evict: Type.Optional(Type.Boolean()),
  /** The annotation `karpenter.sh/do-not-disrupt`. */
  do_not_disrupt: Type.Optional(Type.Boolean()),
  /** The pod has an emptyDir or hostPath volume. */
  local_storage: Type.Optional(Type.Boolean()),
})

export type Taint = Static<typeof Taint>
export type LabelSelector = Static<typeof LabelSelector>
export type PodScheduling = Static<typeof PodScheduling>
