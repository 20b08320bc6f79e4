-- What happened, written in the transaction of its cause. Alerts, webhooks and streams read this table, so that nothing has to
-- compare other tables repeatedly. IDs increase in the order of writing; a transaction may commit after one with higher IDs.
create table event (
  event_id bigint generated always as identity primary key,
  at timestamptz not null,
  cluster_id text,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  data jsonb not null
);
create index event_cluster on event (cluster_id, event_id) where cluster_id is not null;
create index event_at on event (at);
comment on table event is 'local: events of the last weeks, for alerts, webhooks and streams';
