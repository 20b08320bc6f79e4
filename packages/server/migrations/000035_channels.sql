-- Channels receive messages about events. The outbox has one row for each message and channel, written in the transaction of the cause of
-- the message, so that a message is queued if and only if its cause is stored. A row ends as delivered, dead or cancelled.
create table channel (
  channel_id text primary key,
  name text not null unique,
  kind text not null,
  -- The only part of the address that people see.
  host text not null,
  -- The address and the secret, encrypted by the service.
  sealed bytea not null,
  -- Null: all events.
  events text[],
  -- Null: enabled.
  disabled_reason text check (disabled_reason in ('user', 'gone')),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table channel is 'local: where messages are sent';

create table delivery (
  delivery_id text primary key,
  -- The order of messages with one key.
  position bigint generated always as identity,
  channel_id text not null references channel on delete cascade,
  dedup_key text not null,
  transition text not null,
  message jsonb not null,
  state text not null check (state in ('waiting', 'delivered', 'dead', 'cancelled')),
  tries integer not null default 0,
  -- After this many tries the delivery is dead.
  tries_max integer not null,
  due_at timestamptz not null,
  -- A sender holds the row until then. A later sender may take it over.
  claimed_until timestamptz,
  queued_at timestamptz not null,
  ended_at timestamptz,
  unique (dedup_key, transition, channel_id)
);
create index delivery_newest on delivery (channel_id, position);
create index delivery_due on delivery (channel_id, due_at, position) where state = 'waiting';
create index delivery_order on delivery (channel_id, dedup_key, position) where state = 'waiting';
create index delivery_claimed on delivery (channel_id, claimed_until) where state = 'waiting' and claimed_until is not null;
create index delivery_ended on delivery (ended_at) where state <> 'waiting';
comment on table delivery is 'local: the outbox, one row for each message and channel';

create table delivery_try (
  delivery_id text not null references delivery on delete cascade,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  primary key (delivery_id, number)
);
comment on table delivery_try is 'local: the log of tries, without the answers of receivers';

-- Since when a disconnected cluster is silent: identifies the messages about one silence.
alter table cluster_state add column silent_since timestamptz;
