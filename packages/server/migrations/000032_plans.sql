-- The plan of a cluster: ordered steps that remove nodes from the bill, each computed with the earlier ones applied. The ID of a step
-- never changes. Steps that left the plan stay, so that the promised savings can be compared with the result.
create table plan (
  cluster_id text primary key,
  analysed_at timestamptz not null,
  run_rate numeric,
  savings numeric not null,
  is_complete boolean not null,
  bounds jsonb not null
);
comment on table plan is 'distributed: the newest plan of a cluster';

create table plan_step (
  cluster_id text not null,
  step_id text not null,
  kind text not null,
  title text not null,
  -- Null once the step has left the plan.
  position integer,
  savings numeric not null,
  capacity_value numeric not null,
  run_rate_before numeric,
  run_rate_after numeric,
  risk text not null,
  effort jsonb not null,
  nodes jsonb not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (cluster_id, step_id)
);
comment on table plan_step is 'distributed: the steps of a plan, those that have ended included';
create index plan_step_in_plan on plan_step (cluster_id, position) where position is not null;

create table plan_step_member (
  cluster_id text not null,
  step_id text not null,
  recommendation_id text not null,
  -- What the recommendation takes off the bill; fixed while the step is in the plan.
  share numeric not null,
  primary key (cluster_id, step_id, recommendation_id)
);
comment on table plan_step_member is 'distributed: the recommendations of a step, those that were applied included';
create index plan_step_member_recommendation on plan_step_member (cluster_id, recommendation_id);
