-- Alerts have a state, so that a condition is announced once while it lasts. A notice is the message of one change of state for one channel:
-- it waits for others of its hour and for the end of quiet hours, and then becomes a delivery.
create table alert_rule (
  rule text primary key,
  is_on boolean not null,
  -- The thresholds that users changed; the others have their default.
  thresholds jsonb not null,
  revision integer not null,
  updated_at timestamptz not null
);
comment on table alert_rule is 'local: rules that users changed';

create table alert (
  alert_id text primary key,
  rule text not null,
  entity text not null,
  period text not null,
  -- Null: about the whole installation.
  cluster_id text,
  namespace text,
  team text,
  state text not null default 'pending' check (state in ('pending', 'firing', 'resolved')),
  is_urgent boolean not null,
  content jsonb not null,
  opened_at timestamptz not null,
  true_since timestamptz,
  false_since timestamptz,
  observed_at timestamptz not null,
  fired_at timestamptz,
  resolved_at timestamptz,
  acknowledged jsonb,
  snoozed_until timestamptz,
  accepted jsonb,
  -- Why nothing was sent; null: sent, or nothing to send.
  unsent_reason text,
  revision integer not null default 1
);
create unique index alert_open on alert (rule, entity, period) where state <> 'resolved';
create index alert_identity on alert (rule, entity, period, alert_id);
create index alert_cluster on alert (cluster_id) where cluster_id is not null;
create index alert_resolved on alert (resolved_at) where state = 'resolved';
comment on table alert is 'local: alerts with their state';

create table alert_notice (
  alert_id text not null references alert on delete cascade,
  transition text not null,
  channel_id text not null references channel on delete cascade,
  state text not null check (state in ('waiting', 'sent', 'dropped')),
  reason text,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (alert_id, transition, channel_id)
);
create index alert_notice_waiting on alert_notice (channel_id, due_at) where state = 'waiting';
comment on table alert_notice is 'local: messages about alerts, one for each change of state and channel';

-- When the last message with several alerts was queued.
alter table channel add column grouped_at timestamptz;

create table alert_delivery (
  is_only boolean primary key default true check (is_only),
  -- Minutes since midnight, UTC.
  quiet_from integer check (quiet_from between 0 and 1439),
  quiet_to integer check (quiet_to between 0 and 1439),
  quiet_weekends boolean not null default false,
  sends_digest boolean not null default true,
  digest_at timestamptz,
  revision integer not null default 1,
  -- The newest event and the time of the last evaluation.
  evaluated_event bigint not null default 0,
  evaluated_at timestamptz,
  check ((quiet_from is null) = (quiet_to is null))
);
comment on table alert_delivery is 'local: one row, when messages about alerts are sent';
insert into alert_delivery default values;
