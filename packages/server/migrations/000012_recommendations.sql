-- Recommendations of a cluster, with their evidence, the decisions of users, and the observed result. Rules find them, users
-- decide, and later observations verify the change. All rows belong to one cluster.

create table recommendation (
  cluster_id text not null,
  -- contains the key of the cluster, so that an ID identifies the shard
  recommendation_id text collate "C" not null,
  rule_id text not null,
  category text not null,
  -- the object of the recommendation, as the rule names it: the same in every analysis
  target_key text not null,
  -- groups the recommendations of one workload, which roll out together
  bundle_id text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'implemented', 'superseded', 'resolved', 'expired')),
  severity text not null,
  -- 1 low … 4 critical, to sort by
  severity_rank smallint not null,
  risk text not null,
  confidence text not null,
  title text not null,
  namespace text not null,
  pod_name text not null,
  workload_kind text,
  workload_name text,
  container text,
  -- lower case, for searches by a part of a name
  search_text text collate "C" not null,
  -- per month; bankable is null until the next packing simulation
  estimated_savings numeric not null,
  bankable_savings numeric,
  -- the change, from the current to the proposed value: fixed at approval
  content jsonb not null,
  -- the state of the target: a different state ends a suppression
  basis text not null,
  -- what a later analysis found about an approved recommendation
  drift jsonb,
  verification text check (verification in ('awaiting', 'verified', 'partial', 'not_observed', 'reverted', 'regressed')),
  verification_detail jsonb,
  snoozed_until timestamptz,
  -- since when no analysis has been able to confirm it
  missing_since timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  approved_at timestamptz,
  -- marked by a user, or observed
  done_at timestamptz,
  primary key (cluster_id, recommendation_id)
);
-- At most one open recommendation for a target and a rule, also with concurrent writers.
create unique index recommendation_open on recommendation (cluster_id, rule_id, target_key)
  where status in ('pending', 'approved');
create index recommendation_by_estimate on recommendation (cluster_id, status, estimated_savings, recommendation_id);
create index recommendation_by_bankable on recommendation (cluster_id, status, (coalesce(bankable_savings, 0)), recommendation_id);
create index recommendation_by_severity on recommendation (cluster_id, status, severity_rank, recommendation_id);
create index recommendation_by_age on recommendation (cluster_id, status, created_at, recommendation_id);
create index recommendation_any_status on recommendation (cluster_id, estimated_savings, recommendation_id);
create index recommendation_fleet on recommendation (status, estimated_savings, recommendation_id);
create index recommendation_totals on recommendation (cluster_id, status)
  include (estimated_savings, bankable_savings, snoozed_until, category, namespace);
create index recommendation_awaiting on recommendation (cluster_id) where verification is not null;
comment on table recommendation is 'distributed: recommendations for a cluster, with their status';

-- Large and read one at a time.
create table recommendation_evidence (
  cluster_id text not null,
  recommendation_id text collate "C" not null,
  evidence jsonb not null,
  written_at timestamptz not null,
  primary key (cluster_id, recommendation_id)
);
comment on table recommendation_evidence is 'distributed: the evidence of recommendations';

create table recommendation_history (
  cluster_id text not null,
  recommendation_id text collate "C" not null,
  -- the revision after the change of status
  position integer not null,
  at timestamptz not null,
  action text not null,
  from_status text,
  to_status text not null,
  -- null: the engine
  actor_kind text,
  actor_id text,
  actor_email text,
  reason text,
  detail jsonb not null default '{}',
  primary key (cluster_id, recommendation_id, position)
);
comment on table recommendation_history is 'distributed: who changed the status of a recommendation, when and why';

create table recommendation_suppression (
  cluster_id text not null,
  rule_id text not null,
  target_key text not null,
  recommendation_id text not null,
  namespace text not null,
  until timestamptz not null,
  basis text not null,
  estimated_savings numeric not null,
  primary key (cluster_id, rule_id, target_key)
);
comment on table recommendation_suppression is 'distributed: rejected recommendations, and until when they are not repeated';

-- Each analysis replaces these rows.
create table recommendation_withheld (
  cluster_id text not null,
  rule_id text not null,
  -- empty: the whole rule
  target_key text not null,
  namespace text not null,
  target jsonb,
  reason text not null,
  detail text not null,
  unlock text not null,
  since timestamptz not null,
  primary key (cluster_id, rule_id, target_key)
);
comment on table recommendation_withheld is 'distributed: withheld recommendations, with the reason and what would change it';

create table recommendation_policy (
  cluster_id text not null,
  -- empty: the whole cluster
  namespace text not null,
  -- only the fields that differ from the inherited policy
  settings jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  primary key (cluster_id, namespace)
);
comment on table recommendation_policy is 'distributed: policies of recommendations, by cluster and namespace';

create table savings_ledger (
  cluster_id text not null,
  recommendation_id text collate "C" not null,
  -- the first day, UTC
  month date not null,
  namespace text not null,
  rule_id text not null,
  -- observed savings of this month, and the part that a reverted change took back
  verified_usd numeric not null default 0,
  reverted_usd numeric not null default 0,
  -- everything before this time is counted
  counted_until timestamptz not null,
  primary key (cluster_id, recommendation_id, month)
);
comment on table savings_ledger is 'distributed: observed savings, by month and recommendation';
