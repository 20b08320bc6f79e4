-- What could be changed, why, what people said about it, and what came of it. The rules find; people decide; what is
-- observed afterwards counts. All of it belongs to one cluster.

create table recommendation (
  cluster_id text not null,
  -- carries the cluster's key, so that one id names one shard
  recommendation_id text collate "C" not null,
  rule_id text not null,
  category text not null,
  -- what it is about, as the rule names it: stays the same from one analysis to the next
  target_key text not null,
  -- joins those of one workload, which roll out together
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
  -- lower case, for people who look for a part of a name
  search_text text collate "C" not null,
  -- a month; bankable is null until the scheduler has been run again
  estimated_savings numeric not null,
  bankable_savings numeric,
  -- what is to be changed from what to what: frozen with approval
  content jsonb not null,
  -- what the target looked like: another one lifts a suppression
  basis text not null,
  -- what a later analysis says about an approved one
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
  -- marked by a person, or observed
  done_at timestamptz,
  primary key (cluster_id, recommendation_id)
);
-- At most one that is open for a target and a rule, whoever writes at the same time.
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
comment on table recommendation is 'distributed: what could be changed in a cluster, and how far that has come';

-- Large and read one at a time.
create table recommendation_evidence (
  cluster_id text not null,
  recommendation_id text collate "C" not null,
  evidence jsonb not null,
  written_at timestamptz not null,
  primary key (cluster_id, recommendation_id)
);
comment on table recommendation_evidence is 'distributed: what a recommendation rests on';

create table recommendation_history (
  cluster_id text not null,
  recommendation_id text collate "C" not null,
  -- the revision that the move has made
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
comment on table recommendation_history is 'distributed: who moved a recommendation, when and why';

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
comment on table recommendation_suppression is 'distributed: advice that somebody has rejected, and until when it is not repeated';

-- Written anew by each analysis.
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
comment on table recommendation_withheld is 'distributed: what no advice is given about, why, and what would change that';

create table recommendation_policy (
  cluster_id text not null,
  -- empty: the whole cluster
  namespace text not null,
  -- only what differs from what holds without it
  settings jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  primary key (cluster_id, namespace)
);
comment on table recommendation_policy is 'distributed: how careful recommendations have to be, by cluster and namespace';

create table savings_ledger (
  cluster_id text not null,
  recommendation_id text collate "C" not null,
  -- the first day, UTC
  month date not null,
  namespace text not null,
  rule_id text not null,
  -- what was observed to be saved in this month, and what of it an undone change has taken away again
  verified_usd numeric not null default 0,
  reverted_usd numeric not null default 0,
  -- everything before is counted
  counted_until timestamptz not null,
  primary key (cluster_id, recommendation_id, month)
);
comment on table savings_ledger is 'distributed: money that was observed to be saved, by month and recommendation';
