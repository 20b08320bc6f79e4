-- Incidents are evaluated once for each finalised hour of the installation. The threshold is computed weekly.
create table incident_state (
  is_only boolean primary key default true check (is_only),
  -- Hours since 1970.
  evaluated_to integer,
  threshold numeric,
  threshold_at timestamptz,
  alerts_per_month numeric,
  -- Accepted levels by part.
  steps jsonb not null default '{}'
);
comment on table incident_state is 'local: one row, how far incidents are evaluated';
insert into incident_state default values;

create table incident (
  incident_id text primary key,
  data jsonb not null,
  -- Hours since 1970; null: open.
  ended_at integer
);
comment on table incident is 'local: costs above the expected ones, with their cause';
