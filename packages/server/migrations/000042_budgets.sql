-- A budget limits the cost of a scope in each period. The evaluation reads the sums of `budget_day`, so that an hour is read once for all
-- budgets and not once for each of them.
create table budget (
  budget_id text primary key,
  name text not null unique,
  scope jsonb not null,
  period text not null check (period in ('month', 'quarter', 'year', 'once')),
  -- Days since 1970; only of 'once'. The end is exclusive.
  first_day integer,
  end_day integer,
  amount numeric not null check (amount >= 0),
  growth_percent double precision not null,
  amounts jsonb not null,
  thresholds jsonb not null,
  parent_id text references budget,
  -- False: the days before its creation or before the change of its scope are not summed up yet.
  is_counted boolean not null default false,
  current jsonb,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index budget_parent on budget (parent_id) where parent_id is not null;
comment on table budget is 'local: budgets, and the result of their last evaluation';

create table budget_change (
  budget_id text not null references budget on delete cascade,
  position bigint generated always as identity,
  at timestamptz not null,
  made_by text not null,
  reason text,
  before jsonb not null,
  after jsonb not null,
  primary key (budget_id, position)
);
comment on table budget_change is 'local: who changed a budget, when and why';

create table budget_period (
  budget_id text not null references budget on delete cascade,
  key text not null,
  first_day integer not null,
  end_day integer not null,
  amount numeric not null,
  usd numeric not null,
  -- Three days after the end; neither cost nor amount change later.
  is_frozen boolean not null,
  primary key (budget_id, key)
);
comment on table budget_period is 'local: cost and amount of the periods of budgets';

create table budget_day (
  cluster_id text not null,
  budget_id text not null,
  day integer not null,
  usd numeric not null,
  primary key (cluster_id, budget_id, day)
);
create index budget_day_of_budget on budget_day (budget_id, day);
comment on table budget_day is 'distributed: the cost of each budget in each day since 1970';

create table budget_day_read (
  cluster_id text not null,
  day integer not null,
  -- Changes with every hour of the day that is written, and with the team mapping.
  signature text not null,
  primary key (cluster_id, day)
);
comment on table budget_day_read is 'distributed: the state of the hours from which budget_day was summed up';
